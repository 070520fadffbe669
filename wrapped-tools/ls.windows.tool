List the files of a folder.

`arguments` are folders, and -a, -A, -l and -1 as for `ls`. With -l each line begins with the size.

@title List Files
@name ls
@param path {path} The folder
@param arguments {array<string>} [flags, reject=/^--(col|hy)/] Such as ["-la", "src"]
@allow tools.call list_dir
@code
    const words = input.arguments ?? [];
    const letters = words.filter((word) => word.startsWith("-")).map((word) => word.slice(1)).join("");
    const unknown = /[^aAl1]/.exec(letters);
    if (unknown) throw new Error(`-${unknown[0]} does not work on Windows; -a, -A, -l and -1 do`);
    const folders = [...words.filter((word) => !word.startsWith("-")), ...(input.path ? [input.path] : [])];
    const lists = [];
    for (const folder of folders.length > 0 ? folders : ["."]) {
        const text = await tools.call("list_dir", {
            path: folder, hidden: /a/i.test(letters), ignored: true, max_entries: 100_000,
        });
        const rows = text.split("\n").filter((line) => !line.startsWith("["));
        const lines = rows.map((row) => (letters.includes("l") ? row : row.replace(/^ *\S+  /, "").replace(/\/$/, "")));
        const head = folders.length > 1 ? `${folder}:\n` : "";
        lists.push(head + lines.map((line) => `${line}\n`).join(""));
    }
    return lists.join("\n");
@tags read files
@keywords folder directory size date
@platforms windows
@example {"path": "src"}
@example {"arguments": ["-la"]}

@test lists what there is
    setup touch a.txt b.txt
    with {"arguments": ["-1"]}
    expect output-matches /^a\.txt\nb\.txt$/

@test lists a folder
    setup mkdir src
    setup touch src/a.txt
    with {"path": "src"}
    expect output-equals a.txt

@test shows hidden files with their sizes
    setup printf hello > .a
    with {"arguments": ["-la"]}
    expect output-equals "5  .a\n"
