Read a note.

@title Note
@name note
@wrapped read_file
@with file_path = notes/{name}.txt
@param name {string} [required] Its name
@tags read
