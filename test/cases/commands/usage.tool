As in a usage.

@title Usage
@name usage
@wrapped run_command
@command git log [--since={start}] [--author {author}] [-n {count}] [{file}] [--all]
@param start {string} Since when
@param author {string} Whose
@param count {integer} How many
@param file {path} Which
@tags read
@returns The commits
@timeout none
@example usage a b
@command git log
