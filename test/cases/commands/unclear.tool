Publish files.

@title Unclear
@name unclear
@wrapped run_command
@command ./publish --mark {file} -la {words} --name {n} -v {target}
@param file {path} What to publish
@param words {array<string>} [flags] More words
@param n {string} A name
@param target {string} Where
