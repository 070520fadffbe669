Words.

@title Words
@name words
@wrapped run_command
@command {program} --version
@command(linux) grep --include={globs} 'TODO
@command(macos) grep --include={globs} TODO
@command(windows)
@param program {string} A program
@param globs {array<string>} Files
