Ask.

@title Ask
@name ask
@wrapped mcp:broken/ask
