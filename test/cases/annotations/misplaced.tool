Words.

@title Misplaced
@name misplaced
@wrapped web_fetch
@with format = text
@cwd /tmp
@env A=b
@ignore-errors really
