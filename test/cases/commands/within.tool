Words.

@title Within
@name within
@wrapped run_command
@command(linux) fetch http://h/s?q={q}&page=2 2>err.txt
@command(macos) printf '%s\n' a;b a>b
@command(windows) echo x$(date;id) 2>&1 | sort
@param q {string} [required] What
