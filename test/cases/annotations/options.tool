Words.

@name options
@title Options
@wrapped run_command
@param dir {path} Where
@required dir
@min 3
@command ls {dir}
