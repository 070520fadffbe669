Compute the SHA-256 checksums of files.

@title SHA-256 Checksum
@name checksum
@wrapped run_command
@command(linux) sha256sum -- {files}
@command(macos) shasum -a 256 -- {files}
@param files {array<path>} [required, min=1] The files
@tags read files
@keywords sha256 hash verify integrity
@platforms linux macos
@example {"files": ["dottool"]}

@test knows the checksum of nothing
    setup touch empty
    with {"files": ["empty"]}
    expect output-contains e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
