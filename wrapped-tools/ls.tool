List the files of a folder.

The arguments go to `ls`: options such as `-l` and `-a`, then files and folders, for example ["-la", "src"]. Without arguments, the
working folder is listed.

@title List Files
@name ls
@wrapped run_command
@command ls {arguments}
@param arguments {array<string>} [flags, reject=/^--(col|hy)/, default=[]] Arguments for ls
@tags read files
@keywords folder directory size date
@requires ls
@platforms linux macos
@example {"arguments": ["-la"]}

@test lists what there is
    setup touch a.txt b.txt
    with {"arguments": ["-1"]}
    expect exit-code 0
    expect output-matches /^a\.txt\nb\.txt$/
