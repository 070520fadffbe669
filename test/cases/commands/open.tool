Words.

@title Open
@name open
@wrapped run_command
@command echo {first {second} {third
@fallback awk '{{first += 1; if (x) {{y}}}}' {second}
@param first {string} First
@param second {string} Second
@param third {string} Third
@limit output=10 MB cpu=10s
@tags wriet networking
