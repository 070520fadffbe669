Show commits, newest first: short hash, date, author and subject.

@title Git Log
@name git_log
@wrapped run_command
@command git --no-pager -c core.fsmonitor=false -c core.hooksPath=/dev/null -c safe.bareRepository=explicit
    log --no-color --no-ext-diff --no-textconv --no-show-signature --date=short "--pretty=format:%h %ad %an: %s"
    --max-count={count} {author} {since} {until} {words} --end-of-options {revision} -- {path}
@env GIT_OPTIONAL_LOCKS=0
@env GIT_NO_LAZY_FETCH=1
@env GIT_ALLOW_PROTOCOL=none
@param revision {string} [pattern=/[^-].*/, example=main..topic, help="a branch, tag or commit, or a range such as main..topic"] Branch, tag, commit or range
@param path {path} What they change
@param count {integer} [default=20, min=1, max=1000] Commits at most
@param author {string} [flag="--author={value}"] Part of name or address
@param since {string} [flag="--since={value}", example="2 weeks ago"] After this date
@param until {string} [flag="--until={value}"] Before this date
@param words {string} [flag="--grep={value}"] In the message
@tags read git
@keywords history commits
@requires git
@example {"count": 5, "path": "src"}
@note A repository can name programs in its own configuration; the options and variables above keep git from starting any of them.

@test shows subjects, newest first
    setup git init -q .
    setup git -c user.name=Ana -c user.email=ana@example.com -c commit.gpgsign=false commit -q --allow-empty -m first
    setup git -c user.name=Ana -c user.email=ana@example.com -c commit.gpgsign=false commit -q --allow-empty -m second
    with {"count": 1}
    expect exit-code 0
    expect output-contains Ana: second
    expect output-not-contains first

@test takes no options for a revision
    setup git init -q .
    with {"revision": "--output=stolen.txt"}
    expect error-contains revision
    expect not-file-exists stolen.txt

@test takes a range
    setup git init -q --initial-branch=trunk .
    setup git -c user.name=Ana -c user.email=ana@example.com -c commit.gpgsign=false commit -q --allow-empty -m first
    setup git branch topic
    setup git -c user.name=Ana -c user.email=ana@example.com -c commit.gpgsign=false commit -q --allow-empty -m second
    with {"revision": "topic..trunk"}
    expect output-contains second
    expect output-not-contains first
