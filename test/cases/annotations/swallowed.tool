Words.

@title Swallowed
@name swallowed
@wrapped run_command
@command ls
    @param a {string} A
    @nothing known
@test x
    expect exit-code 0
    @tags read
