Find lines that match a regular expression in all files below a folder, fast, honouring .gitignore.

Prints path, line number and line. Exit code 1 means that nothing matches.

@title Search with ripgrep
@name ripgrep
@wrapped run_command
@command rg --no-config --color=never --no-heading --with-filename --line-number --max-columns=500 --sort=path --max-count={matches}
    {ignore_case} {fixed} {word} {files_only} {hidden} {context} {files} {type} --regexp={pattern} -- {path}
@param pattern {string} [required] A regular expression, or plain text with `fixed`
@param path {path} [default="."] The folder or file to search
@param files {string} [flag="--glob={value}", example=*.ts] Only files whose name matches this glob
@param type {string} [flag="--type={value}", pattern=/[a-z0-9]+/, example=rust] Only files of this kind
@param ignore_case {boolean} [flag="--ignore-case"] Capital and small letters are the same
@param fixed {boolean} [flag="--fixed-strings"] `pattern` is plain text
@param word {boolean} [flag="--word-regexp"] Only whole words
@param files_only {boolean} [flag="--files-with-matches"] Only the names of the files
@param hidden {boolean} [flag="--hidden"] Hidden files and folders as well
@param context {integer} [flag="--context={value}", min=0, max=100] Lines around each match
@param matches {integer} [default=200, min=1, max=100000] Matches per file at most
@tags read files
@keywords grep rg search text content
@requires rg
@example {"pattern": "TODO|FIXME", "files": "*.ts"}

@test prints where a pattern matches
    setup printf 'one\ntwo\n' > a.txt
    with {"pattern": "^t"}
    expect exit-code 0
    expect output-contains a.txt:2:two

@test takes a pattern that looks like an option
    setup printf -- '--pre=id\n' > a.txt
    with {"pattern": "--pre=id", "fixed": true}
    expect exit-code 0
    expect output-contains a.txt:1:--pre=id
