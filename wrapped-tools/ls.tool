List the files of a folder.

@title List Files
@name ls
@wrapped run_command
@command ls {arguments} {path}
@param path {path} The folder
@param arguments {array<string>} [flags, reject=/^--(col|hy)/] Such as ["-la", "src"]
@tags read files
@keywords folder directory size date
@requires ls
@platforms linux macos
@example {"path": "src"}
@example {"arguments": ["-la"]}

@test lists what there is
    setup touch a.txt b.txt
    with {"arguments": ["-1"]}
    expect exit-code 0
    expect output-matches /^a\.txt\nb\.txt$/

@test lists a folder
    setup mkdir src
    setup touch src/a.txt
    with {"path": "src"}
    expect output-equals a.txt
