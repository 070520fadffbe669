Read a text file, or some lines of it.

@title Read File
@name Read
@wrapped read_file
@tags read files
@keywords open show content lines
@example {"file_path": "README.md"}

@test reads the lines that are asked for
    setup printf 'one\ntwo\nthree\n' > a.txt
    with {"file_path": "a.txt", "start_line": 2, "end_line": 2}
    expect output-contains two
    expect output-not-contains three

@test says what is not there
    with {"file_path": "missing.txt"}
    expect error-contains missing.txt
