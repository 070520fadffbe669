Log in somewhere.

@title Log In
@name words
@wrapped run_command
@command login --user {user} --token={token} {keys}
@fallback login --password {token}
@param user {string} [required] Who
@param token {string} [required, secret] The token
@param keys {array<string>} [secret, flag="--key {value}"] More of them
