Show a file.

@title Sandboxed
@name sandboxed
@wrapped run_command
@command cat -- {file}
@param file {path} [required] Which file
@sandbox strickt
@network example.org http://example.org *.example.org example.org:22 *
@writes {fil} {file} build/
