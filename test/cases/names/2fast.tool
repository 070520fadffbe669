@name 2fast
@wrapped web fetch
