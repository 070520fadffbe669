Log in.

@title Log in
@name login
@wrapped run_command
@command printf 'hello %s\n' {user} {attempts}
@env TOKEN={token}
@param user {string} [required] Who
@param token {string} [required, secret, min=8] What only you know
@param attempts {integer} [min=1, max=5] How often
@tags read
