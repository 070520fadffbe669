Ask.

@title Ask
@name wildcard
@wrapped run_command
@command curl -sS https://api.github.com/user
@env T=secret:T for=*.github.com
