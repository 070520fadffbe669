Ask.

@title Ask
@name empty
@wrapped run_command
@command curl -sS https://api.github.com/user
@env T=secret:T for=
