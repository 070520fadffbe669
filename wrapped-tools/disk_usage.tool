Show how much space folders take.

@title Disk Usage
@name disk_usage
@wrapped run_command
@command du -h -d {depth} {files} -- {path}
@param path {path} [default="."] The folder
@param depth {integer} [default=1, min=0, max=20] How many levels of folders to show
@param files {boolean} [flag="-a"] Files as well
@tags read files system
@keywords size space folder du
@requires du
@platforms linux macos
@example {"path": "node_modules", "depth": 0}

@test adds up a folder
    setup mkdir sub
    with {"depth": 1}
    expect exit-code 0
    expect output-contains ./sub
