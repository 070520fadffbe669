Nobody's.

@title x
@name x
@wrapped run_command
@command echo x
@tags read
