Show the last lines of files, for example of a log.

@title Last Lines
@name tail
@wrapped run_command
@command tail -n {lines} -- {files}
@param files {array<path>} [required, min=1] The files
@param lines {integer} [default=20, min=1, max=100000] How many lines of each
@tags read files text
@keywords end log lines
@requires tail
@limit memory=512MiB
@platforms linux macos
@example {"files": ["server.log"], "lines": 100}

@test shows the last line
    setup printf 'one\ntwo\n' > a.txt
    with {"files": ["a.txt"], "lines": 1}
    expect output-equals two
