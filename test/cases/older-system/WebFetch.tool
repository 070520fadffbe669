@name webFetch
@wrapped web_fetch