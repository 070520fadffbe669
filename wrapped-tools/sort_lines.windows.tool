Print the lines of files in order. Changes no file.

@title Sort Lines
@name sort_lines
@param files {array<path>} [required, min=1] The files
@param unique {boolean} Each line once
@param numeric {boolean} By the number at the beginning
@param reverse {boolean} The last first
@param ignore_case {boolean} Ignore case
@allow tools.call read_file
@code
    const lines = [];
    for (const file of files)
        for (let from = 1; from > 0; ) {
            const text = await tools.call("read_file", {
                file_path: file, start_line: from, end_line: 10_000_000, show_lines: true,
            });
            for (const line of text.split("\n")) lines.push(...(/^\d+\t(.*)$/s.exec(line)?.slice(1) ?? []));
            from = Number(/; continue with `start_line` (\d+)\]$/.exec(text)?.[1] ?? 0);
        }
    const compare = (one, other) => Number(one > other) - Number(one < other);
    const key = (line) => (input.numeric ? Number.parseFloat(line) || 0 : input.ignore_case ? line.toUpperCase() : line);
    const direction = input.reverse ? -1 : 1;
    const sorted = lines
        .map((line) => [key(line), line])
        .sort((one, other) => direction * (compare(one[0], other[0]) || (input.unique ? 0 : compare(one[1], other[1]))))
        .filter(([first], index, all) => !input.unique || index === 0 || all[index - 1][0] !== first);
    return sorted.map(([, line]) => `${line}\n`).join("");
@tags read files text
@keywords order unique duplicates
@limit memory=64MiB
@platforms windows
@example {"files": ["names.txt"], "unique": true}

@test prints each line once, in order
    setup printf 'b\na\nb\n' > a.txt
    with {"files": ["a.txt"], "unique": true}
    expect output-matches /^a\nb$/

@test sorts by number, the largest first
    setup printf '9 x\n10 y\n' > a.txt && printf '1\n' > b.txt
    with {"files": ["a.txt", "b.txt"], "numeric": true, "reverse": true}
    expect output-equals "10 y\n9 x\n1\n"
