Draw a folder as a tree.

@title Folder Tree
@name tree
@wrapped run_command
@command tree -n -L {depth} {hidden} {folders_only} -- {path}
@param path {path} [default="."] The folder
@param depth {integer} [default=3, min=1, max=20] How many levels to show
@param hidden {boolean} [flag="-a"] Hidden files as well
@param folders_only {boolean} [flag="-d"] Only folders
@tags read files
@keywords folder directory structure
@requires tree
@platforms linux macos
@example {"path": "src", "depth": 2}

@test draws what is there
    setup mkdir sub
    setup touch sub/a.txt
    with {}
    expect exit-code 0
    expect output-contains a.txt
