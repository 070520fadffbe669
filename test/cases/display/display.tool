Words.

@title Display
@name display
@wrapped run_command
@command echo {日本} {tab}	{ta} {a} {b} ‮[31m{escape}
@param tab {string} Tab
@param b {string} [requird]	日本語 {x}
@param long {string} A description that goes on and on, so that the line is longer than anyone would like to read in a terminal, with a tail
@param longer {array<string>} [default=["a description that goes on and on", "so that the line is longer than anyone", 3], reqired] tail of it
