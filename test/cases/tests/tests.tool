Words.

@title Tests
@name tests
@wrapped run_command
@command ls
@test says nothing
@test says nothing
    with {}
    with {}
    expect exit-code zero
    expect exitcode 0
    expect the impossible
    expect output-matches x
    expect output-matches /(/
    expect file-contains a.txt
    expect result {1}
    expects exit-code 0
    expect
    run ls
