Words.

@title Bare
@name bare
@wrapped run_command
@command echo {a} {b} {c} {d} {e} {f} {g} {h} {i} {j} {k}
@param a string required The text
@param b (integer) how many
@param c {string} required
@param d number of lines
@param e required by the program
@param f {string} unique name of it, which is no slip
@param g array<string> default=[] Words
@param h (string, required) the text
@param i integer min=1 max=5 How many
@param j {integer} min=1 How many
@param k {string} key=value pairs are not options
