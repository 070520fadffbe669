A value in a variable that may be spaces alone.

@name editor
@wrapped run_command
@shell sh
@env FOO={ed}
@command ${FOO:-vi} {file}
@param ed {string} [required] E
@param file {path} [required] F
@tags write
