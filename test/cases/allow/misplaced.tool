Runs a command.

@title Runs
@name runs
@wrapped run_command
@command ls
@allow crypto
