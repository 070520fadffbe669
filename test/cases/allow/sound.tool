Reaches out.

@title Reach
@name reach
@allow crypto
@allow fetch api.example.com
@allow tools.call mcp:files/read
@code
    return 1;
