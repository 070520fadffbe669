Show how much space is left on each file system, or on the one that a path is on.

@title Disk Space
@name disk_free
@wrapped run_command
@command df -h -- {path}
@param path {path} Only the file system of this file or folder
@tags read system
@keywords space full mount df
@requires df
@platforms linux macos
@example {"path": "."}

@test shows the file system of a folder
    with {"path": "."}
    expect exit-code 0
    expect output-contains %
