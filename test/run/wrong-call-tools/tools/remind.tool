Set a reminder.

@title Remind
@name remind
@wrapped run_command
@command printf '%s\n' {text} {delay_s} {tags}
@param text {string} [required] What about
@param delay_s {number} [required, min=1] Seconds from now
@param tags {array<string>} Words
@tags write
