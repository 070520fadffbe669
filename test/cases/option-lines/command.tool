Options below a command.

@title Command
@name command
@wrapped run_command
@command
    git fetch
    timeout: 3s
    fallback: git status
@tags network run
