@name converse
@wrapped web_fetch
