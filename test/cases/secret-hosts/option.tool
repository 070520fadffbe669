Ask.

@title Ask
@name option
@wrapped run_command
@command curl -sS https://api.github.com/user
@env T={token}
@param token {string} [required, secret, env=T, for=api.github.com] The token
