Find lines that match a pattern.

The arguments go to `grep`: options, the pattern, then files or folders, for example ["-rn", "--include=*.ts", "TODO", "src"].
With `-r`, folders are searched recursively. If nothing matches, nothing is printed and the exit code is 1.

@title Search in Files
@name grep
@wrapped run_command
@command grep {arguments}
@param arguments {array<string>} [required, flags, reject=/^--col/] Arguments for grep
@tags read files
@keywords search text content regular expression
@requires grep
@platforms linux macos
@example {"arguments": ["-rn", "TODO", "."]}

@test prints the lines that match
    setup printf 'one\ntwo\nthree\n' > a.txt
    with {"arguments": ["-n", "t", "a.txt"]}
    expect exit-code 0
    expect output-contains 2:two
    expect output-contains 3:three
    expect output-not-contains one

@test says by its exit code that nothing matches
    setup printf 'one\n' > a.txt
    with {"arguments": ["zebra", "a.txt"]}
    expect exit-code 1
