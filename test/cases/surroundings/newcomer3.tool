Edit.
@command "$EDITOR" {file}
@param file {path} [required] Which
