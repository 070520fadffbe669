Print a name in capital letters.

@title Upper
@name upper
@wrapped run_command
@command printf '%s\n' {name} {times}
@param name {string} [required, transform="value.toUpperCase()"] Whose
@param times {integer} [max=3] How often
@tags read
