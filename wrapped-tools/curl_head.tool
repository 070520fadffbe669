Get the HTTP headers of a web address without its content: status, type, size, redirects, caching.

Redirects are shown, not followed. Unlike WebFetch it reaches private networks and this machine too.

@title HTTP Headers
@name curl_head
@wrapped run_command
@command curl --disable --silent --show-error --head --globoff --proto =http,https --max-time 20 --url {url}
@param url {url} [required] The address
@tags run network web
@keywords http status response header
@requires curl
@timeout 30s
@example {"url": "https://example.com/"}
@note Tagged `run` so that agents are asked: curl does not look at which network an address leads to.

@test fails if nothing answers
    with {"url": "http://127.0.0.1:9/"}
    expect exit-code 7

@test takes web addresses alone
    with {"url": "file:///etc/hosts"}
    expect error-contains url
