Words.

@name misspelt
@titel Misspelt
@wrapped run_command
@param dir {path} Where
@comand ls {dir}
