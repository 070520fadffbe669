Post a note.

@title A
@name words
@wrapped run_command
@command curl -d '{"name": "{name}", "n": {n}, "k": "{kind}"}' --data={"a":"{name}"} http://127.0.0.1/x
@param name {string} [required] N
@param n {integer} [required] N
@param kind {"a"|"b"} [required] N
@tags network
