Words.

@title Options
@name options
@wrapped run_command
@command echo {a} {b} {c} {d} {e} {f} {g} {h} {i} {j} {k} {l}
@param a {string} [requird] A
@param b {string} [required=yes optional] B
@param c {integer} [min=low max=3 default=9] C
@param d {integer} [min=5, max=3] D
@param e {boolean} [min=1, lower, unique] E
@param f {string} [pattern=^a$, reject=/(/] F
@param g {string} [pattern=/a/g, pattern=/b/] G
@param h {string} [required, default=x] H
@param i {integer} [flags, flag=--depth] I
@param j {string} [env=A-B, min=-1] J
@param k {string} [colour=red] K
@param l {array<integer>} [default="[1, \"x\"]", example=no] L
@param m {string} [choices="a|b"] M
@type T {object} T
@property T.a {string} [flag="--a {value}", lower] A
