The first two lines of files.

@title First two lines
@name first_lines
@wrapped head
@with lines = 2
@tags read
