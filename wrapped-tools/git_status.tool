Show the branch, and the changed, staged and new files.

Two letters before each path: its state in the index and in the folder (M changed, A added, D deleted, R renamed, ?? new).

@title Git Status
@name git_status
@wrapped run_command
@command git --no-pager -c core.fsmonitor=false -c core.hooksPath=/dev/null -c safe.bareRepository=explicit -c color.ui=false
    status --porcelain=v1 --branch --ignore-submodules=all -- {path}
@env GIT_OPTIONAL_LOCKS=0
@env GIT_NO_LAZY_FETCH=1
@env GIT_ALLOW_PROTOCOL=none
@param path {path} Only this file or folder
@tags run git
@keywords changes branch staged
@requires git
@example {}
@note Tagged `run`: comparing files of the working folder runs the filters (`filter.NAME.clean`) that the repository's own configuration names, and git has no option against it.

@test names new files
    setup git init -q .
    setup touch new.txt
    with {}
    expect exit-code 0
    expect output-contains ?? new.txt
