Ask twice.

@title Twice
@name steps
@param token {string} [required, secret] The token
@step first runs
    login {token:-none}
@step second sh
    printf '%s' {token} | login
@step third cmd
    login {token}
