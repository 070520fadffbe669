Search issues.

@title Issues
@name issues
@wrapped mcp:gihtub/search_issues
