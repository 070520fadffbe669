Words that end in the middle of a letter: Ã
@name cut
@wrapped run_command
