Search code.

@title Code
@name search_code
@wrapped mcp:github/search_code
@with limit = 10
@param query {string} [required] What to look for
