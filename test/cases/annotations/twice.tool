Words.

@title Twice
@name twice
@name second
@wrapped run_command
@command ls {a}
@command dir
@command(linux) ls
@command(linux) ls -l
@shell sh
@shell bash
@param a {string} A
@with timeout_s = 5
@with timeout_s = 6
@env A=1
@env A=2
