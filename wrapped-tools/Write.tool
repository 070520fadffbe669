Write a text file. A file that exists is replaced.

@title Write File
@name Write
@wrapped write_file
@tags write files
@keywords save create content
@example {"file_path": "notes.txt", "content": "first line\n"}

@test writes what it is given
    with {"file_path": "a.txt", "content": "hello\n"}
    expect file-contains a.txt hello
