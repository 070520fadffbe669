Detect the type of files from their content, not from their names.

@title File Type
@name file_type
@param files {array<path>} [required, min=1] The files
@param mime {boolean} As media types such as text/plain
@allow tools.call read_file
@code
    const rows = [];
    for (const file of files) {
        const read = await tools.call("read_file", { file_path: file, end_line: 1 });
        const type = typeof read === "string" ? "text/plain" : read.mediaType;
        rows.push(`${file}: ${input.mime || type !== "text/plain" ? type : "text"}\n`);
    }
    return rows.join("");
@tags read files
@keywords kind format mime magic
@platforms windows
@example {"files": ["picture"], "mime": true}

@test knows text
    setup echo hello > a
    with {"files": ["a"], "mime": true}
    expect output-contains text/plain

@test knows an archive
    setup printf 'PK\003\004\012\000\000\000\000\000\000\000' > a
    with {"files": ["a"]}
    expect output-equals "a: application/zip\n"
