List the branches, the most recently changed first, with date and last subject.

@title Git Branches
@name git_branches
@wrapped run_command
@command git --no-pager -c core.fsmonitor=false -c core.hooksPath=/dev/null -c safe.bareRepository=explicit
    for-each-ref --sort=-committerdate --count={count}
    "--format=%(refname:short) %(committerdate:short) %(subject)" refs/heads {remote}
@env GIT_OPTIONAL_LOCKS=0
@env GIT_NO_LAZY_FETCH=1
@env GIT_ALLOW_PROTOCOL=none
@param count {integer} [default=50, min=1, max=1000] Branches at most
@param remote {boolean} [flag="refs/remotes"] Also of other repositories
@tags read git
@keywords branch list
@requires git
@example {"remote": true}

@test lists a branch
    setup git init -q --initial-branch=trunk .
    setup git -c user.name=Ana -c user.email=ana@example.com -c commit.gpgsign=false commit -q --allow-empty -m first
    with {}
    expect output-matches /^trunk [0-9-]{10} first$/
