Words.

@title Opens
@name opens
@step found runs
    find . -name {pattern}
@step shown runs
    open {found}
@param pattern {string} [required] Names
@tags read
