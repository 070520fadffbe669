@wrapped web_fetch
