@name other
@wrapped run_command
@command ls
