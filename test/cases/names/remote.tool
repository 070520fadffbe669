@name remote
@wrapped mcp:files
