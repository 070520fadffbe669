Steps that read what is not there yet.

@title Ahead
@name ahead
@step early runs
    echo {late} {early.stdout}
@step late runs [parallel]
    echo {early}
