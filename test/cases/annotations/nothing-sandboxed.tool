Show a file.

@title Nothing sandboxed
@name nothing-sandboxed
@wrapped run_command
@command cat -- {file}
@param file {path} [required] Which file
@sandbox none
@writes .
@network
