The project's own reader.

@title read_file
@name read_file
@wrapped run_command
@command echo read_file
@tags read
