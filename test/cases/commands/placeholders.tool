Words.

@title Placeholders
@name placeholders
@wrapped run_command
@command grep -rn -- {patern} {folders} | sort
@param pattern {string} [required] What to look for
@param folder {path} Where to look
