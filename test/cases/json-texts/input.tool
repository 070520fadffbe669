Post a note.

@title A
@name input
@wrapped run_command
@command cat
@stdin {"text": "{name}", "list": ["{name}"]}
@param name {string} [required] N
@tags network
