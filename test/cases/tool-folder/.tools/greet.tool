Say hello.

@title greet
@name greet
@wrapped run_command
@command echo greet
@tags read
