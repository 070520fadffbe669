A name that is taken.

@title Circle
@name taken
@param a {string} A
@step a runs
    echo {b}
@step TEMP_DIR runs
    echo {zz}
@step a runs
    echo {zz}
