Ask.

@title Ask
@name annotation
@wrapped run_command
@command curl -sS https://api.github.com/user
@secret GH_TOKEN for=api.github.com
