Reads from a line on.

@title From
@name from
@wrapped read_file
@param start_line {integer} [required] The first line
