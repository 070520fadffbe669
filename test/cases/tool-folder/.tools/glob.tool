The project's own glob.

@title glob
@name glob
@wrapped run_command
@command echo glob
@tags read
