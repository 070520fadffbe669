Ask.

@title Ask
@name words
@wrapped run_command
@command curl -sS https://api.github.com/user
@env T=secret:T only api.github.com
