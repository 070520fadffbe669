Words.

@title Forms
@name forms
@wrapped run_command
@command echo {a} {b} {c} {d} {e} {f} {g} {h} {i} {j} {k}
@param {string} a The type stands first
@param b [required] {string} The options stand first
@param c{integer} No blank
@param d: {string} A colon
@param e {json|text} Bare choices
@param f {string[]} Not ours
@param g {string Where to look
@param h {array<string} Where to look
@param i integer How many
@param j {string} [required Where
@param k {string}[min=1] No blank
@param 1 {string} No name
@param l {} No type
@param m {array} No items
@param n {array<>} No items
@param listed {"a", "b c"} Choices with commas
@param enumerated {enum<a,b>} An enum of another language
