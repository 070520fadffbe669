Find lines that match a pattern.

Searches the files below `path` that `.gitignore` does not name. Or `arguments` go to `grep`; exit code 1: nothing matches. Windows has no `grep` of its own.

@title Search in Files
@name grep
@param pattern {string} A JavaScript regular expression
@param path {path} [default="."] The file or folder
@param glob {string} [default="**"] Such as `*.{js,ts}`
@param ignore_case {boolean} [default=false] Ignore case
@param output_mode {"content"|"files_with_matches"|"count"} [default=content] Lines, files, or lines in each file
@param context {integer} [default=0, min=0, max=20] Lines around each
@param limit {integer} [default=200, min=1, max=10000] At most
@param arguments {array<string>} [flags, reject=/^--col/] Instead: ["-rn", "TODO", "src"]
@step searched uses search_text [when=!{arguments}]
    pattern = {pattern}
    path = {path}
    globs = {glob}
    ignore_case = {ignore_case}
    output_mode = {output_mode}
    context_lines = {context}
    max_matches = {limit}
@step printed runs [output=stream when={arguments}]
    grep {arguments}
@output
    {searched}{printed}
@tags read files
@keywords search text content regular expression
@example {"pattern": "TODO|FIXME", "path": "src", "glob": "*.ts"}
@example {"arguments": ["-rn", "TODO", "."]}

@test prints the lines that match
    setup printf 'one\ntwo\nthree\n' > a.txt
    with {"arguments": ["-n", "t", "a.txt"]}
    expect exit-code 0
    expect output-contains 2:two
    expect output-contains 3:three
    expect output-not-contains one

@test finds a pattern in the files of a folder
    setup mkdir src
    setup printf 'one\ntwo\n' > src/a.ts
    setup printf 'two\n' > src/b.md
    with {"pattern": "^t\\w+", "path": "src", "glob": "*.ts"}
    expect output-contains src/a.ts:2:two
    expect output-not-contains b.md

@test names the files alone
    setup printf 'one\ntwo\n' > a.txt
    with {"pattern": "TWO", "ignore_case": true, "output_mode": "files_with_matches"}
    expect output-equals a.txt

@test says by its exit code that nothing matches
    setup printf 'one\n' > a.txt
    with {"arguments": ["zebra", "a.txt"]}
    expect exit-code 1
