Edits a file.

@title Typed
@name typed
@wrapped edit_file
@param file_path {integer} [required] Which file
@param edits {array<Edit>} [required] The changes
@type Edit {object} One change
@property Edit.search {string} What to look for
@property Edit.replace {string} What to put there
@property Edit.range {integer} Where
