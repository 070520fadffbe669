Ask an address.

@title Ask
@name script
@wrapped run_command
@shell bash
@script
    header="Authorization: Bearer {token}"
    curl -H "$header" https://example.org
    TOKEN={token} gh api user
    printf '%s' {token} | docker login --password-stdin
    check() { [[ $1 == x* ]]; }
    check {token} && sudo login {token}
@param token {string} [required, secret] The token
