Reads the read-me.

@title Read-me
@name readme
@wrapped read_file
@with file_pth = README.md
