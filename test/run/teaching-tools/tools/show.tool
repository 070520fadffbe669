@name show
@wrapped read_file
