Reads a file.

@title Nonsense
@name nonsense
@wrapped read_file
@param file_path {path} [required] Which file
@param start_lin {integer} The first line
@param nonsense {string} What goes nowhere
