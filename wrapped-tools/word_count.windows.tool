Count the lines, words and bytes of files.

@title Word Count
@name word_count
@param files {array<path>} [required, min=1] The files
@allow tools.call read_file
@allow tools.call list_dir
@code
    const rows = [];
    for (const file of files) {
        const [, folder, name] = /^(.*[\\/])?([^\\/]+)$/.exec(file) ?? [, "", file];
        const listed = await tools.call("list_dir", {
            path: folder || ".", hidden: true, ignored: true, max_entries: 100_000,
        });
        const size = listed.split("\n").find((row) => row.replace(/^ *\S+  /, "") === name);
        const row = [0, 0, Number.parseInt(size ?? "0", 10)];
        for (let from = 1; from > 0; ) {
            const text = await tools.call("read_file", {
                file_path: file, start_line: from, end_line: 10_000_000, show_lines: true,
            });
            for (const line of text.split("\n")) {
                const [, words] = /^\d+\t(.*)$/s.exec(line) ?? [];
                if (words === undefined) continue;
                row[0]++;
                row[1] += words.split(/\s+/).filter(Boolean).length;
            }
            from = Number(/; continue with `start_line` (\d+)\]$/.exec(text)?.[1] ?? 0);
        }
        rows.push([...row, file]);
    }
    const sum = (column) => rows.reduce((total, row) => total + row[column], 0);
    if (files.length > 1) rows.push([sum(0), sum(1), sum(2), "total"]);
    return rows.map(([lines, words, bytes, file]) =>
        `${[lines, words, bytes].map((one) => String(one).padStart(7)).join(" ")} ${file}\n`).join("");
@tags read files text
@keywords lines length size wc
@platforms windows
@example {"files": ["README.md"]}

@test counts lines, words and bytes
    setup printf 'one two\nthree\n' > a.txt
    with {"files": ["a.txt"]}
    expect output-matches /^\s*2\s+3\s+14\s+a\.txt$/

@test adds up several files
    setup printf 'one two\r\n' > a.txt && mkdir b && printf 'ü\n' > b/c.txt
    with {"files": ["a.txt", "b/c.txt"]}
    expect output-matches /^\s*1\s+2\s+9\s+a\.txt\n\s*1\s+1\s+3\s+b\/c\.txt\n\s*2\s+3\s+12\s+total$/
