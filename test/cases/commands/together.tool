Says how many.

@title Together
@name together
@wrapped run_command
@command echo {cuont} '{print}' | cat
@param count {integer} How many
@tags read
@example {"count": "5"}
