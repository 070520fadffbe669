Find lines with ripgrep. Exit code 1: none.

@title Search with ripgrep
@name ripgrep
@wrapped run_command
@command rg --no-config --color=never --no-heading --with-filename --line-number --max-columns=500 --sort=path --max-count={matches}
    {ignore_case} {fixed} {word} {files_only} {hidden} {context} {files} {type} --regexp={pattern} -- {path}
@param pattern {string} [required] The pattern
@param path {path} [default="."] The path
@param files {string} [flag="--glob={value}"] Such as `*.ts`
@param type {string} [flag="--type={value}"] The type
@param ignore_case {boolean} [flag="--ignore-case"] Ignore case
@param fixed {boolean} [flag="--fixed-strings"] Fixed text
@param word {boolean} [flag="--word-regexp"] Whole words
@param files_only {boolean} [flag="--files-with-matches"] Files only
@param hidden {boolean} [flag="--hidden"] Also hidden ones
@param context {integer} [flag="--context={value}", min=0, max=100] The context
@param matches {integer} [default=200, min=1, max=100000] The matches
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
