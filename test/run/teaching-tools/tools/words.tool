Print words.

@title Words
@name words
@wrapped run_command
@command printf '%s\n' {words}
@param words {array<string>} [required, min=1, reject=/^-/] Which
@tags read
