Reads a note.

@title Note
@name note
@wrapped read_file
@command cat {file}
@param file {path} [required] Which
