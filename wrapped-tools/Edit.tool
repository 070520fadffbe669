Replace texts in a text file. Each text to search for must occur exactly once.

@title Edit File
@name Edit
@wrapped edit_file
@tags write files
@keywords change replace patch
@example {"file_path": "notes.txt", "edits": [{"search": "colour", "replace": "color"}]}

@test replaces a piece of text
    setup printf 'one two\n' > a.txt
    with {"file_path": "a.txt", "edits": [{"search": "two", "replace": "three"}]}
    expect file-contains a.txt one three
