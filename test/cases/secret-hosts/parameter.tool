Ask.

@title Ask
@name parameter
@wrapped run_command
@command curl -sS https://api.github.com/user
@env T={token} for=api.github.com
@param token {string} [required, secret, env=T] The token
