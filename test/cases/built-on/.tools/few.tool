@name few
@wrapped read_output
@default limit = many
