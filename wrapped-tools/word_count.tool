Count the lines, words and bytes of files.

@title Word Count
@name word_count
@wrapped run_command
@command wc -- {files}
@param files {array<path>} [required, min=1] The files
@tags read files text
@keywords lines length size wc
@requires wc
@platforms linux macos
@example {"files": ["README.md"]}

@test counts lines, words and bytes
    setup printf 'one two\nthree\n' > a.txt
    with {"files": ["a.txt"]}
    expect output-matches /^\s*2\s+3\s+14\s+a\.txt$/
