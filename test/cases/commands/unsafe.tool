Words.

@title Unsafe
@name unsafe
@wrapped run_command
@shell sh
@command eval grep {pattern}
@param pattern {string} What to look for
