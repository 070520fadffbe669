Lists a folder.

@title List
@name list_with
@wrapped run_command
@command ls
@env PATH={folder}
@env LINES={count}
@env NOTE={folder}
@param folder {string} [required] Folder
@param count {integer} [default=3] Lines
