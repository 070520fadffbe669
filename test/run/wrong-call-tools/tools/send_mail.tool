Send a mail.

@title Send Mail
@name send_mail
@wrapped run_command
@command printf '%s\n' {to} {subject} {body} {cc}
@param to {string} [required] An address
@param subject {string} [required] A line
@param body {string} [required] The text
@param cc {string} Another address
@tags write
