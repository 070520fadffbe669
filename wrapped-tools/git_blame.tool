Show who last changed each line of a file, and in which commit, as of a revision.

@title Git Blame
@name git_blame
@wrapped run_command
@command git --no-pager -c core.fsmonitor=false -c core.hooksPath=/dev/null -c safe.bareRepository=explicit -c color.ui=false
    blame --no-textconv --date=short {lines} {revision}^{{commit}} -- {file}
@env GIT_OPTIONAL_LOCKS=0
@env GIT_NO_LAZY_FETCH=1
@env GIT_ALLOW_PROTOCOL=none
@param file {path} [required] The file
@param lines {string} [flag="-L {value}", pattern=/[0-9]+,[0-9]+/, example="10,20"] First and last line
@param revision {string} [default=HEAD, pattern=/[^-^~:.{](\.?[^~^:.{])*([~^]\d*|\{(\.?[^{}.])*\})*/, help="one commit, such as main, v1.2, 4f2c1a9, HEAD~3 or main@{yesterday}; no range"] As of this commit
@tags read git
@keywords author line history
@requires git
@example {"file": "src/main.ts", "lines": "10,20"}
@note A repository can name programs in its own configuration; the options and variables above keep git from starting any of them. Where a range leaves no commit, `blame` reads the file of the working folder, through a filter that is a program; `revision` takes no range.

@test names the author of a line
    setup git init -q .
    setup printf 'one\ntwo\n' > a.txt
    setup git add a.txt
    setup git -c user.name=Ana -c user.email=ana@example.com -c commit.gpgsign=false commit -q -m first
    with {"file": "a.txt", "lines": "2,2"}
    expect exit-code 0
    expect output-contains Ana
    expect output-contains two
    expect output-not-contains one

@test shows a file as of a tag
    setup git init -q .
    setup echo one > a.txt && git add a.txt
    setup git -c user.name=Ana -c user.email=ana@example.com -c commit.gpgsign=false commit -q -m first
    setup git tag v1
    setup echo two > a.txt && git add a.txt
    setup git -c user.name=Ana -c user.email=ana@example.com -c commit.gpgsign=false commit -q -m second
    with {"file": "a.txt", "revision": "v1"}
    expect exit-code 0
    expect output-contains one

@test takes one commit, and no range
    with {"file": "a.txt", "revision": "HEAD..HEAD"}
    expect error-contains no range
