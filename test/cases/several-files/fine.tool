@name fine
@wrapped web_fetch
