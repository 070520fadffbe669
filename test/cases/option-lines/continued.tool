Options that go on with an annotation.

@title Continued
@name continued
@wrapped run_command
@command git fetch
retry: 3
fallback: git status
@env A=1
env: B=2
@tags network
run
