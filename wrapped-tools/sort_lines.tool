Print the lines of files in order. Changes no file.

@title Sort Lines
@name sort_lines
@wrapped run_command
@command sort {unique} {numeric} {reverse} {ignore_case} -- {files}
@param files {array<path>} [required, min=1] The files
@param unique {boolean} [flag="-u"] Each line once
@param numeric {boolean} [flag="-n"] By the number at the beginning
@param reverse {boolean} [flag="-r"] The last first
@param ignore_case {boolean} [flag="-f"] Ignore case
@env LC_ALL=C
@tags read files text
@keywords order unique duplicates
@requires sort
@limit memory=512MiB
@platforms linux macos
@example {"files": ["names.txt"], "unique": true}

@test prints each line once, in order
    setup printf 'b\na\nb\n' > a.txt
    with {"files": ["a.txt"], "unique": true}
    expect output-matches /^a\nb$/
