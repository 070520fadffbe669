Show the changes in the working folder that are not committed yet.

Between commits, use `git_compare`.

@title Git Diff
@name git_diff
@wrapped run_command
@command git --no-pager -c core.fsmonitor=false -c core.hooksPath=/dev/null -c safe.bareRepository=explicit
    -c diff.autoRefreshIndex=false diff --no-color --no-ext-diff --no-textconv --submodule=short --ignore-submodules=all
    {staged} {stat} --end-of-options {against}^{{commit}} -- {path}
@env GIT_OPTIONAL_LOCKS=0
@env GIT_NO_LAZY_FETCH=1
@env GIT_ALLOW_PROTOCOL=none
@param against {string} [default=HEAD, pattern=/[^-^~:.{](\.?[^~^:.{])*([~^]\d*|\{(\.?[^{}.])*\})*/, help="one commit, such as main, v1.2, 4f2c1a9, HEAD~3 or main@{yesterday}; no range"] The commit to compare with
@param staged {boolean} [flag="--cached"] Only what is staged
@param stat {boolean} [flag="--stat"] Only which files, and how much
@param path {path} Only this file or folder
@tags run git
@keywords changes patch uncommitted
@requires git
@example {"stat": true}
@note Tagged `run`: comparing files of the working folder runs the filters (`filter.NAME.clean`) that the repository's own configuration names, and git has no option against it.

@test shows what is not committed
    setup git init -q .
    setup echo one > a.txt && git add a.txt
    setup git -c user.name=Ana -c user.email=ana@example.com -c commit.gpgsign=false commit -q -m first
    setup echo two > a.txt
    with {}
    expect exit-code 0
    expect output-contains +two
