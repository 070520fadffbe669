Show the first lines of files.

@title First Lines
@name head
@param files {array<path>} [required, min=1] The files
@param lines {integer} [default=20, min=1, max=100000] How many lines of each
@allow tools.call read_file
@code
    const parts = [];
    for (const file of files) {
        const text = await tools.call("read_file", { file_path: file, end_line: lines, show_lines: true });
        const shown = text.split("\n").flatMap((line) => /^\d+\t(.*)$/s.exec(line)?.[1] ?? []);
        const title = files.length > 1 ? `==> ${file} <==\n` : "";
        parts.push(title + shown.map((line) => `${line}\n`).join(""));
    }
    return parts.join("\n");
@tags read files text
@keywords begin top lines
@platforms windows
@example {"files": ["README.md"], "lines": 5}

@test shows the first line
    setup printf 'one\ntwo\n' > a.txt
    with {"files": ["a.txt"], "lines": 1}
    expect output-equals one

@test names the files if there are several
    setup printf 'one\ntwo\n' > a.txt && printf 'three\r\nfour\r\n' > b.txt
    with {"files": ["a.txt", "b.txt"], "lines": 1}
    expect output-equals "==> a.txt <==\none\n\n==> b.txt <==\nthree\n"
