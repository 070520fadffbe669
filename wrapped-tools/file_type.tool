Detect the type of files from their content, not from their names.

@title File Type
@name file_type
@wrapped run_command
@command file {mime} -- {files}
@param files {array<path>} [required, min=1] The files
@param mime {boolean} [flag="--mime"] As media types such as text/plain
@tags read files
@keywords kind format mime magic
@requires file
@platforms linux macos
@example {"files": ["picture"], "mime": true}

@test knows text
    setup echo hello > a
    with {"files": ["a"], "mime": true}
    expect output-contains text/plain
