Run.

@title Run
@name run
@wrapped mcp:github/run
@command echo {a}
@param a {string} A
