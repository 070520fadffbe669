Checksums of what is in a folder.

@title Options
@name options
@wrapped run_command
@shell sh
@script
    folder={folder}
    cksum "$(basename {file})"
    cksum -a sha256 "${folder##*/}.sum"
    find "$(basename {file})" -newer list
    printf '%s\n' {names} | xargs rm -f
    printf '%s\n' {names} | xargs -I% mv % old
    sh -c 'rm "${1#*/}"' sh {file}
@param folder {path} [required] Where
@param file {path} [required] Which file
@param names {array<string>} [required] What to remove
