Get a public web page as Markdown, plain text or unchanged.

@title Fetch Web Page
@name WebFetch
@wrapped web_fetch
@tags network web
@keywords http url page download
@example {"url": "https://example.com/"}

@test refuses the addresses of this machine
    with {"url": "http://127.0.0.1:9/"}
    expect error-contains 127.0.0.1
