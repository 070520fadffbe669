Show what changed between two commits of the repository in the working folder.

@title Git Compare
@name git_compare
@wrapped run_command
@command git --no-pager -c core.fsmonitor=false -c safe.bareRepository=explicit diff --no-color --no-ext-diff --no-textconv
    --submodule=short --ignore-submodules=all {stat} {from} {to} -- {path}
@env GIT_OPTIONAL_LOCKS=0
@env GIT_NO_LAZY_FETCH=1
@env GIT_ALLOW_PROTOCOL=none
@param from {string} [required, pattern=/[^-].*/] The older commit, branch or tag
@param to {string} [default=HEAD, pattern=/[^-].*/] The newer one
@param path {path} Only this file or folder
@param stat {boolean} [flag="--stat"] Only which files changed, and how much
@tags read git
@keywords diff branches patch
@requires git
@example {"from": "main", "to": "HEAD", "stat": true}
@note A repository can name programs in its own configuration; the options and variables above keep git from starting any of them.

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
