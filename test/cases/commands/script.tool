Words.

@title Script
@name script
@wrapped run_command
@script
    echo hello
@env-inherit maybe
@env TOKEN=secret:to ken
@env = x
@fallback echo {nothing}
@cwd {folder}
