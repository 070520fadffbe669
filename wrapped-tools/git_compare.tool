Show what changed between two commits.

@title Git Compare
@name git_compare
@wrapped run_command
@command git --no-pager -c core.fsmonitor=false -c core.hooksPath=/dev/null -c safe.bareRepository=explicit
    diff-tree -r --cc --find-renames --no-color --no-ext-diff --no-textconv --submodule=short {stat}
    --end-of-options {from}^{{tree}} {to}^{{tree}} -- {path}
@env GIT_OPTIONAL_LOCKS=0
@env GIT_NO_LAZY_FETCH=1
@env GIT_ALLOW_PROTOCOL=none
@param from {string} [required, pattern=/[^-^~:.{](\.?[^~^:.{])*([~^]\d*|\{(\.?[^{}.])*\})*/, help="one commit, such as main, v1.2, 4f2c1a9, HEAD~3 or main@{yesterday}; no range"] The older commit, branch or tag
@param to {string} [default=HEAD, pattern=/[^-^~:.{](\.?[^~^:.{])*([~^]\d*|\{(\.?[^{}.])*\})*/, help="one commit, such as main, v1.2, 4f2c1a9, HEAD~3 or main@{yesterday}; no range"] The newer one
@param path {path} Only this file or folder
@param stat {boolean} [flag="--stat"] Only which files, and how much
@tags read git
@keywords diff branches patch
@requires git
@example {"from": "main", "to": "HEAD", "stat": true}
@note A repository can name programs in its own configuration; the options and variables above keep git from starting any of them. `diff-tree` reads no files of the working folder, whatever its words name; with `--cc` it shows patches, unless `--stat` asks for less.

@test shows what changed between two commits
    setup git init -q .
    setup echo one > a.txt && git add a.txt
    setup git -c user.name=Ana -c user.email=ana@example.com -c commit.gpgsign=false commit -q -m first
    setup echo two > a.txt && git add a.txt
    setup git -c user.name=Ana -c user.email=ana@example.com -c commit.gpgsign=false commit -q -m second
    with {"from": "HEAD~1"}
    expect exit-code 0
    expect output-contains -one
    expect output-contains +two

@test compares a tag with a branch
    setup git init -q --initial-branch=trunk .
    setup git -c user.name=Ana -c user.email=ana@example.com -c commit.gpgsign=false commit -q --allow-empty -m first
    setup git tag v1
    setup echo one > a.txt && git add a.txt
    setup git -c user.name=Ana -c user.email=ana@example.com -c commit.gpgsign=false commit -q -m second
    with {"from": "v1", "to": "trunk", "stat": true}
    expect output-contains a.txt | 1 +
    expect output-not-contains @@

@test takes one commit on each side, and no set of them
    with {"from": "HEAD^@"}
    expect error-contains no range
