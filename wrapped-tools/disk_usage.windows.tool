Show how much space folders take.

Counts the bytes in files, not the blocks on the disk.

@title Disk Usage
@name disk_usage
@param path {path} [default="."] The folder
@param depth {integer} [default=1, min=0, max=20] How many levels of folders to show
@param files {boolean} Files as well
@allow tools.call list_dir
@code
    const text = await tools.call("list_dir", {
        path, depth: 100, hidden: true, ignored: true, max_entries: 100_000,
    });
    const sizes = new Map([[path, 0]]);
    const shown = [];
    for (const row of text.split("\n")) {
        const [, size, name] = /^ *(\S+)  (.+)$/.exec(row) ?? [];
        if (row.startsWith("[") || name === undefined) continue;
        const parts = name.split("/").filter(Boolean);
        const pathOf = (length) => [path, ...parts.slice(0, length)].join("/");
        const isFolder = name.endsWith("/");
        if (parts.length <= depth && (isFolder || input.files)) shown.push(pathOf(parts.length));
        const bytes = Number(size) || 0;
        for (let length = 0; length < parts.length; length++)
            sizes.set(pathOf(length), (sizes.get(pathOf(length)) ?? 0) + bytes);
        if (!isFolder) sizes.set(pathOf(parts.length), bytes);
    }
    const words = (bytes) => {
        let unit = 0;
        for (; bytes >= 1024 && unit < 5; unit++) bytes /= 1024;
        return (unit > 0 && bytes < 10 ? bytes.toFixed(1) : String(Math.round(bytes))) + ["", "K", "M", "G", "T", "P"][unit];
    };
    return [...shown, path].map((one) => `${words(sizes.get(one) ?? 0)}\t${one}\n`).join("");
@tags read files system
@keywords size space folder du
@platforms windows
@example {"path": "node_modules", "depth": 0}

@test adds up a folder
    setup mkdir sub && printf 12345 > sub/a && printf 1 > b
    with {"depth": 1}
    expect output-equals "5\t./sub\n6\t.\n"

@test shows the size of a file
    setup head -c 2048 /dev/zero > a
    with {"files": true}
    expect output-equals "2.0K\t./a\n2.0K\t.\n"
