Names that a tool of steps has of its own.

@title Reserved
@name reserved
@param files {array<string>} Files
@param item {string} Hides one of the files
@param WORKSPACE {string} Hides the folder
@step index runs [for-each={files}]
    echo {item} {index} {WORKSPACE}
