Ask.

@title Ask
@name fetch
@wrapped web_fetch
@with url = https://api.github.com/user
@env T=secret:T for=api.github.com
