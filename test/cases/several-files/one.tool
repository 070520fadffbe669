@name one
@wraped web_fetch
@timeout 60
