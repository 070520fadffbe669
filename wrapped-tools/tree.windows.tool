Draw a folder as a tree.

@title Folder Tree
@name tree
@param path {path} [default="."] The folder
@param depth {integer} [default=3, min=1, max=20] How many levels to show
@param hidden {boolean} Hidden files as well
@param folders_only {boolean} Only folders
@allow tools.call list_dir
@code
    const text = await tools.call("list_dir", {
        path, depth, hidden: input.hidden ?? false, ignored: true, max_entries: 100_000,
    });
    const top = new Map();
    let folders = 0, files = 0;
    for (const row of text.split("\n")) {
        const name = /^ *\S+  (.+)$/.exec(row)?.[1];
        const isFolder = name?.endsWith("/");
        if (row.startsWith("[") || name === undefined || (input.folders_only && !isFolder)) continue;
        if (isFolder) folders++; else files++;
        let at = top;
        for (const part of name.split("/").filter(Boolean)) {
            if (!at.has(part)) at.set(part, new Map());
            at = at.get(part);
        }
    }
    const lines = [path];
    const draw = (entries, start) => [...entries].forEach(([name, inner], index) => {
        const isLast = index === entries.size - 1;
        lines.push(`${start}${isLast ? "└── " : "├── "}${name}`);
        draw(inner, `${start}${isLast ? "    " : "│   "}`);
    });
    draw(top, "");
    const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;
    const sum = count(folders, "directory", "directories");
    return `${lines.join("\n")}\n\n${sum}${input.folders_only ? "" : `, ${count(files, "file", "files")}`}\n`;
@tags read files
@keywords folder directory structure
@platforms windows
@example {"path": "src", "depth": 2}

@test draws what is there
    setup mkdir sub
    setup touch sub/a.txt b.txt
    with {}
    expect output-matches /^\.\n├── b\.txt\n└── sub\n    └── a\.txt\n\n1 directory, 2 files$/

@test draws folders alone
    setup mkdir sub
    setup touch sub/a.txt
    with {"folders_only": true}
    expect output-not-contains a.txt
