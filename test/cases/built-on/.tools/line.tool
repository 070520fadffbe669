Runs a line.

@title Line
@name line
@wrapped run_command
@with command = echo {text}
@param text {string} What
