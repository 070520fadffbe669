Find the addresses of a host name, as this machine resolves it.

@title Look Up Host
@name dns_lookup
@wrapped run_command
@command getent ahosts -- {host}
@param host {string} [required, max=253, pattern=/[A-Za-z0-9._:-]+/] The name
@tags network
@keywords dns resolve address ip
@requires getent
@platforms linux
@example {"host": "example.com"}

@test knows this machine
    with {"host": "localhost"}
    expect exit-code 0
    expect output-matches /127\.0\.0\.1|::1/
