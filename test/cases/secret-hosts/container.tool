Ask.

@title Ask
@name container
@wrapped run_command
@command curl -sS https://api.github.com/user
@env T=secret:T for=api.github.com
@isolation container
