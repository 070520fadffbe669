Words.

@title Pipes
@name pipes
@wrapped run_command
  @command(linux) grep -rn TODO . | sort
@command(windows) dir | sort
@shell none
@command grep -rn TODO . | sort
@fallback grep TODO | sort
