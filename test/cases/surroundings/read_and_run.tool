Runs what it reads.

@title Read
@name read_and_run
@wrapped run_command
@command sh
@stdin echo {text}
@param text {string} [required] Text
