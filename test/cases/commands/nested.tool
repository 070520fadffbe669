Runs a loop in a shell of its own.

@title Nested
@name nested
@wrapped run_command
@command sh -c "for i in 1 2; do echo n $i; done"
@tags read
