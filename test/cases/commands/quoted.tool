Says where home is.

@title Quoted
@name quoted
@wrapped run_command
@command echo "home is $HOME"
@command(windows) echo %HOME% > home.txt
@tags read
