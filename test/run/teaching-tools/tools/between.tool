Numbers between two others.

@title Between
@name between
@wrapped run_command
@command seq {from} {to}
@param from {integer} [required] The first
@param to {integer} [required] The last
@tags read
