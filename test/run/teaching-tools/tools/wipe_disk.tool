Wipe something. In the tests it only says so.

@title Wipe
@name wipe_disk
@wrapped run_command
@command touch wiped-{target}
@param target {string} [required] What
@tags write
