Lists files in its own way.

@title List
@name ls
@wrapped run_command
@command ls -l {folder}
@param folder {path} [required] Which one
