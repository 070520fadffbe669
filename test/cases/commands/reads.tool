Words.

@title Reads
@name reads
@wrapped run_command
@command git {words} --stat
@stdin {text}
@param words {array<string>} [required] What to ask git for
@param text {string} Input
@tags read git
