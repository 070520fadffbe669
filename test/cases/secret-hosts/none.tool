Ask.

@title Ask
@name none
@wrapped run_command
@command curl -sS https://api.github.com/user
@env T=secret:T for=api.github.com
@sandbox none
