Find files by a pattern of their paths, or with arguments of `find`.

Leaves out `node_modules` and `.git`. Or `arguments` go to `find` before `-type f`: folders, then tests, no actions.

@title Find Files
@name glob
@wrapped run_command
@command find {arguments} {path} -type f {pattern}
@command(macos) find -E {arguments} {path} -type f {pattern}
@param pattern {string} [flag="-not -path */.git/* -not -path */node_modules/* -regextype posix-extended -regex {value}", transform="'(.*/)?' + value.replace(/[*][*][/]|[*][*]?|[?{,}.+$()|]/g, c => ({'**/': '(.*/)?', '**': '.*', '*': '[^/]*', '?': '.', '{': '(', ',': '|', '}': ')'})[c] || `[${c}]`)"] Such as `*.ts` or `src/**/*.{js,ts}`
@param path {path} The folder; on macOS it must be given
@param arguments {array<string>} [flags, reject=/^-(delete|exec|execdir|ok|okdir|fls|fprint.*)$/] Instead: [".", "-name", "*.ts"]
@tags read files
@keywords search path name pattern
@requires find
@platforms linux macos
@example {"pattern": "**/*.ts", "path": "src"}
@example {"arguments": [".", "-size", "+10k"]}
@note `transform` makes an extended regular expression of the pattern, because `find -path` knows no `**`.

@test finds this file in .
    with {"arguments": [".", "-maxdepth", "1", "-name", "glob.tool"]}
    expect exit-code 0
    expect output-equals ./glob.tool

@test finds by a pattern, in any folder
    setup mkdir -p src/deep node_modules/x
    setup touch src/a.ts src/deep/b.js src/deep/c.md node_modules/x/d.ts
    with {"pattern": "src/**/*.{ts,js}"}
    expect exit-code 0
    expect output-contains ./src/a.ts
    expect output-contains ./src/deep/b.js
    expect output-not-contains c.md
    expect output-not-contains d.ts

@test finds below a folder
    setup mkdir -p src other
    setup touch src/a.ts other/a.ts
    with {"pattern": "**/*.ts", "path": "src"}
    expect output-equals src/a.ts

@test refuses to delete
    setup touch keep.txt
    with {"arguments": [".", "-name", "keep.txt", "-delete"]}
    expect error-contains -delete
    expect file-exists keep.txt
