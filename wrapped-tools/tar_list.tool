List what is in a tar archive, compressed or not: permissions, owner, size, date and name. Unpacks nothing.

@title List Tar Archive
@name tar_list
@wrapped run_command
@command(linux) tar --force-local --list --verbose --quoting-style=escape --file={archive}
@command(macos) tar -tvf {archive}
@command(windows) tar -tvf {archive}
@param archive {path} [required] The archive: .tar, .tar.gz, .tar.xz, .tar.bz2, .tar.zst
@tags read files archive
@keywords tgz compressed content
@requires tar
@example {"archive": "release.tar.gz"}

@test lists the members
    setup echo hello > a.txt
    setup tar -czf a.tgz a.txt
    with {"archive": "a.tgz"}
    expect exit-code 0
    expect output-contains a.txt

@test asks no other machine for an archive
    with {"archive": "localhost:a.tar"}
    expect error-contains localhost
    expect output-not-contains remote
