Ask.

@title Ask
@name good
@wrapped run_command
@command curl -sS https://api.github.com/user
@env GH_TOKEN=secret:GH_TOKEN for=api.github.com,localhost:8443
@tags network
