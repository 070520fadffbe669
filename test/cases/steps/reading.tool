Steps that read what is not there.

@title Reading
@name reading
@param fast {boolean} Whether to hurry
@param depth {integer} How deep
@step early runs
    echo {late} {early.stdot} {nobody} {depth.x}
@step late runs [parallel]
    echo {early}
@step maybe runs [when={fast}]
    date
@step after runs
    echo {maybe} {maybe:-none} {late.json.a[0]} {{maybe.stdout}}
@output {aftr} {after.exitcode}
