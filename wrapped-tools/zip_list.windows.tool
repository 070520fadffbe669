List what is in a zip archive: permissions, size, date and name. Unpacks nothing. Also for .jar, .docx, .whl and other zip files.

@title List Zip Archive
@name zip_list
@wrapped run_command
@command(windows) tar -tvf {archive}
@param archive {path} [required] The archive
@tags read files archive
@keywords compressed content
@requires tar
@platforms windows
@example {"archive": "release.zip"}

@test lists the members
    setup printf 'PK\003\004\012\000\000\000\000\000\000\000\041\000\000\000\000\000\000\000\000\000\000\000\000\000\005\000\000\000a.txtPK\001\002\036\003\012\000\000\000\000\000\000\000\041\000\000\000\000\000\000\000\000\000\000\000\000\000\005\000\000\000\000\000\000\000\000\000\000\000\244\201\000\000\000\000a.txtPK\005\006\000\000\000\000\001\000\001\000\063\000\000\000\043\000\000\000\000\000' > a.zip
    with {"archive": "a.zip"}
    expect exit-code 0
    expect output-contains a.txt
