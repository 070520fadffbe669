Words.

@title Quantities
@name quantities
@wrapped run_command
@command ls
@timeout 60
@limit output=10mb memory=512MiB cpu=10 colour=3 output=3B rate=often processes=0
@retry many
@shell fish
