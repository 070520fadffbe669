@name silent
@wrapped run_command
@param a {string} A
