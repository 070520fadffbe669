Words.

@title Far
@name far
@wrapped run_command
@timeout 60 days
@limit cpu=0s memory=99999999GiB
@retry 1000 delay=soon
@shell powershell
@script echo hello
