What does not go together.

@title Mixed
@name mixed
@wrapped run_command
@command ls
@shell sh
@step a runs
    ls
@code
    return 1
