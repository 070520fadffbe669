Edit a file.

@title Edit File
@name edit
@wrapped run_command
@command edit {file_path} {count}
@param	file_path	[required] The file
@param count {integer} [optional] How often
@param edits {array<Edit>} [required] All edits
@type Edit {object} One edit
@property Edit.range {array<integer>} [required] First and last line
@property Edit.text {string} The text