Steps that are not written as steps are.

@title Forms
@name forms
@param list {array<string>} [required] Files
@step
@step a
@step b run
    ls
@step c runs ls -l
@step d runs
@step e uses
@step f uses web_fetch
    url {list}
    url = {list}
    url = x
@step g runs [parallel=yes retry=0 delay=5 retires=3 output=file concurrency=2 when]
    cat a | wc -l
@step h runs [for-each=files concurrency=99]
    wc {item}
@step i runs [fallback]
    ls
@step j runs [provider=claude]
    echo {list}x {item}
@step k sh
    eval {list}
@step l code
@step m prompt [when={g.ok} and {list}]
    Say {list}
@cleanup rm -r {list}
@output
