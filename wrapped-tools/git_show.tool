Show a commit with its changes, or a file as it was in one.

@title Git Show
@name git_show
@wrapped run_command
@command git --no-pager -c core.fsmonitor=false -c core.hooksPath=/dev/null -c safe.bareRepository=explicit
    show --no-color --no-ext-diff --no-textconv --no-show-signature --submodule=short
    --pretty=medium {stat} --end-of-options {revision} --
@env GIT_OPTIONAL_LOCKS=0
@env GIT_NO_LAZY_FETCH=1
@env GIT_ALLOW_PROTOCOL=none
@param revision {string} [default=HEAD, pattern=/[^-^~:.{](\.?[^~^:.{])*([~^]\d*|\{(\.?[^{}.])*\})*(:.*)?|:.+/, help="one commit, such as HEAD~2, or COMMIT:PATH, such as v1.0:README.md; no range"] A commit such as HEAD~2, or a file: v1.0:README.md
@param stat {boolean} [flag="--stat"] Only which files, and how much
@tags read git
@keywords commit patch
@requires git
@example {"revision": "HEAD~1", "stat": true}
@note A repository can name programs in its own configuration; the options and variables above keep git from starting any of them.

@test shows what a commit changed
    setup git init -q .
    setup echo hello > a.txt
    setup git add a.txt
    setup git -c user.name=Ana -c user.email=ana@example.com -c commit.gpgsign=false commit -q -m first
    with {}
    expect exit-code 0
    expect output-contains +hello

@test shows a file as it was
    setup git init -q .
    setup echo hello > a.txt
    setup git add a.txt
    setup git -c user.name=Ana -c user.email=ana@example.com -c commit.gpgsign=false commit -q -m first
    setup echo changed > a.txt
    with {"revision": "HEAD:a.txt"}
    expect output-equals hello
