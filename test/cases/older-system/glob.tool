Find files matching glob patterns using find. The working directory is the project directory by default.

@title	Glob Pattern Matching
@name glob
@wrapped run_command
@command find {arguments} -type f
@example {"name": "Glob", "arguments": {"arguments": [".", "-type"]}}
@param arguments {array<string>} [required] Array of strings that will be passed to the command