@name official/owner
@wrapped mcp:files/read
