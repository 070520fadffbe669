Show the first lines of files.

@title First Lines
@name head
@wrapped run_command
@command head -n {lines} -- {files}
@param files {array<path>} [required, min=1] The files
@param lines {integer} [default=20, min=1, max=100000] How many lines of each
@tags read files text
@keywords begin top lines
@requires head
@platforms linux macos
@example {"files": ["README.md"], "lines": 5}

@test shows the first line
    setup printf 'one\ntwo\n' > a.txt
    with {"files": ["a.txt"], "lines": 1}
    expect output-equals one
