Words.

@title Reading
@name reading
@wrapped run_command
@command find {words} -type f
@param words {array<string>} [required, flags] Arguments for find
@param unused {string} Nobody asks for it
@tags read
