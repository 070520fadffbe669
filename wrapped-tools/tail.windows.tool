Show the last lines of files, for example of a log.

@title Last Lines
@name tail
@param files {array<path>} [required, min=1] The files
@param lines {integer} [default=20, min=1, max=100000] How many lines of each
@allow tools.call read_file
@allow tools.call search_text
@code
    const parts = [];
    for (const file of files) {
        const counted = await tools.call("search_text", {
            pattern: "^", path: file, output_mode: "count", hidden: true, ignored: true,
        });
        const last = Number(/:(\d+)$/.exec(counted)?.[1] ?? 0);
        const text = await tools.call("read_file", {
            file_path: file, start_line: Math.max(1, last - lines + 1), end_line: Math.max(1, last), show_lines: true,
        });
        const shown = text.split("\n").flatMap((line) => /^\d+\t(.*)$/s.exec(line)?.[1] ?? []);
        const title = files.length > 1 ? `==> ${file} <==\n` : "";
        parts.push(title + shown.map((line) => `${line}\n`).join(""));
    }
    return parts.join("\n");
@tags read files text
@keywords end log lines
@platforms windows
@example {"files": ["server.log"], "lines": 100}

@test shows the last line
    setup printf 'one\ntwo\n' > a.txt
    with {"files": ["a.txt"], "lines": 1}
    expect output-equals two

@test shows a file with fewer lines, and one without any
    setup printf 'one\ntwo' > a.txt && touch b.txt
    with {"files": ["a.txt", "b.txt"]}
    expect output-equals "==> a.txt <==\none\ntwo\n\n==> b.txt <==\n"
