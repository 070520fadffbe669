Find files by name, size or age below a folder.

The arguments go to `find` before `-type f`: first the folders to search, then tests such as `-name`, `-path`, `-size` and
`-mtime`, for example [".", "-name", "*.ts", "-size", "+10k"]. Prints one path per line. Actions that change or run
something are refused.

@title Find Files
@name glob
@wrapped run_command
@command find {arguments} -type f
@param arguments {array<string>} [required, flags, reject=/^-(delete|exec|execdir|ok|okdir|fls|fprint.*)$/] Arguments for find
@tags read files
@keywords search path name pattern
@requires find
@platforms linux macos
@example {"arguments": [".", "-name", "*.ts"]}

@test finds this file in .
    with {"arguments": [".", "-maxdepth", "1", "-name", "glob.tool"]}
    expect exit-code 0
    expect output-equals ./glob.tool

@test refuses to delete
    setup touch keep.txt
    with {"arguments": [".", "-name", "keep.txt", "-delete"]}
    expect error-contains -delete
    expect file-exists keep.txt
