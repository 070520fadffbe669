Find files by a pattern of their paths, or with arguments of `find`.

Leaves out `node_modules` and `.git`. Or `arguments` are folders, then `-name`, `-maxdepth` and `-type f`.

@title Find Files
@name glob
@param pattern {string} Such as `*.ts` or `src/**/*.{js,ts}`
@param path {path} The folder
@param arguments {array<string>} [flags, reject=/^-(delete|exec|execdir|ok|okdir|fls|fprint.*)$/] Instead: [".", "-name", "*.ts"]
@allow tools.call find_files
@code
    const found = async (folder, patterns) => {
        const text = await tools.call("find_files", {
            patterns, path: folder, hidden: true, ignored: true, max_paths: 100_000,
        });
        // As `find` prints them: below the folder as it is named.
        const start = /^\.[\\/]?$/.test(folder) ? "./" : "";
        return text.split("\n").filter((line) => !line.startsWith("[")).map((line) => start + line);
    };
    const words = input.arguments ?? [];
    const at = words.findIndex((word) => word.startsWith("-"));
    const folders = [...words.slice(0, at < 0 ? words.length : at), ...(input.path ? [input.path] : [])];
    const tests = at < 0 ? [] : words.slice(at);
    let names = ["*"], depthMax = Infinity;
    while (tests.length > 0) {
        const [test, value] = tests.splice(0, 2);
        if (test === "-name" && value !== undefined && names[0] === "*") names = [value];
        else if (test === "-maxdepth" && /^\d+$/.test(value)) depthMax = Number(value);
        else if (test !== "-type" || value !== "f")
            throw new Error(`\`${test}\` does not work on Windows; one -name, -maxdepth and -type f do`);
    }
    const patterns = input.pattern === undefined
        ? names
        : [input.pattern, `**/${input.pattern}`, "!**/.git/**", "!**/node_modules/**"];
    const lines = [];
    for (const folder of folders.length > 0 ? folders : ["."]) {
        const depthOf = (path) => path.split("/").length - folder.split(/[\\/]/).filter(Boolean).length;
        lines.push(...(await found(folder, patterns)).filter((path) => depthOf(path) <= depthMax));
    }
    return lines.map((line) => `${line}\n`).join("");
@tags read files
@keywords search path name pattern
@platforms windows
@example {"pattern": "**/*.ts", "path": "src"}
@example {"arguments": [".", "-name", "*.ts"]}

@test finds this file in .
    with {"arguments": [".", "-maxdepth", "1", "-name", "glob*.tool"]}
    expect output-equals ./glob.windows.tool

@test finds by a pattern, in any folder
    setup mkdir -p src/deep node_modules/x
    setup touch src/a.ts src/deep/b.js src/deep/c.md node_modules/x/d.ts
    with {"pattern": "src/**/*.{ts,js}"}
    expect output-matches /^\.\/src\/a\.ts\n\.\/src\/deep\/b\.js$/

@test finds below a folder
    setup mkdir -p src other
    setup touch src/a.ts other/a.ts
    with {"pattern": "**/*.ts", "path": "src"}
    expect output-equals src/a.ts

@test names what it cannot do
    with {"arguments": [".", "-size", "+10k"]}
    expect error-contains -size

@test refuses to delete
    setup touch keep.txt
    with {"arguments": [".", "-name", "keep.txt", "-delete"]}
    expect error-contains -delete
    expect file-exists keep.txt
