Find lines in the files below a folder with ripgrep, honouring .gitignore. Exit code 1: nothing matches.

@title Search with ripgrep
@name ripgrep
@wrapped run_command
@command rg --no-config --color=never --no-heading --with-filename --line-number --max-columns=500 --sort=path --max-count={matches}
    {ignore_case} {fixed} {word} {files_only} {hidden} {context} {files} {type} --regexp={pattern} -- {path}
@param pattern {string} [required] A regular expression
@param path {path} [default="."] Folder or file
@param files {string} [flag="--glob={value}", example=*.ts] Only files of these names
@param type {string} [flag="--type={value}", pattern=/[a-z0-9]+/, example=rust] Only this kind
@param ignore_case {boolean} [flag="--ignore-case"] Ignore case
@param fixed {boolean} [flag="--fixed-strings"] Plain text
@param word {boolean} [flag="--word-regexp"] Whole words
@param files_only {boolean} [flag="--files-with-matches"] Only names of files
@param hidden {boolean} [flag="--hidden"] Hidden ones too
@param context {integer} [flag="--context={value}", min=0, max=100] Lines around each
@param matches {integer} [default=200, min=1, max=100000] At most, per file
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
