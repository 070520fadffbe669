Steps that wait for each other.

@title Circle
@name circle
@step one runs [wait-for=three]
    true
@step two runs
    true
@step three runs [wait-for=two]
    true
