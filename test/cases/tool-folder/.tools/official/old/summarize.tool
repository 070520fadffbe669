Too deep.

@title summarize
@name summarize
@wrapped run_command
@command echo summarize
@tags read
