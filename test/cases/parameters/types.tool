Words.

@title Types
@name types
@wrapped run_command
@command echo {a} {b} {c} {d} {e} {f}
@param a {strnig} A
@param b {int} B
@param c {array<Edit>} C
@param d {Edti} D
@param e {whatever} E
@param any {any} [default="5", min=1] Any
@param f {Node} F
@param f {string} Again
@param level {1|2|3} [default=4] A number
@param rate {0.5|1} [default=1] A number
@param large {1|9007199254740993} Not exact
@param mixed {1|"a"} Two kinds
@param listed {1, 2} Commas
@param words {1|two} One is no number
@type Edit {object} One edit
@type Edit {object} Again
@type string {object} Taken
@type Level {integer} Not an object
@property Edit.range {array<integr>} Lines
@property Edit.range {string} Again
@property Edti.text {string} Text
@property Edit {string} No property
@type Node {object} A node
@property Node.next {Node} Itself
@type One {object} One
@property One.two {Two} Two
@type Two {object} Two
@property Two.one {One} One
@returns {list} All
