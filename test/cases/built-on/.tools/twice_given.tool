Reads a file.

@title Twice Given
@name twice_given
@wrapped read_file
@with file_path = README.md
@param file_path {path} Which file
@param start_line {"1"|"2"} The first line
