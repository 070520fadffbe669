Find the addresses of a host name.

`nslookup` asks the DNS server; it does not know the names of the file `hosts`.

@title Look Up Host
@name dns_lookup
@wrapped run_command
@command(windows) nslookup {host}
@param host {string} [required, max=253, pattern=/[A-Za-z0-9._:-]+/] The name
@tags network
@keywords dns resolve address ip
@requires nslookup
@platforms windows
@example {"host": "example.com"}

@test asks for a name
    with {"host": "localhost"}
    expect exit-code 0

@test takes no options for a name
    with {"host": "-debug"}
    expect error-contains host
