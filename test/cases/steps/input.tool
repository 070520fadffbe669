Runs what it is given.

@title Input
@name input
@param x {string} X
@param n {integer} N
@stdin {x}
@cwd {x}
@step one runs
    sh
@step two runs [stdin="{one}"]
    bash
@step three runs [stdin="echo {n} {one.exit-code}"]
    sh
@step four runs [stdin="{one}"]
    wc -l
@step five runs
    ./build {n}
@tags run
