// Conversations over commands, the web and MCP, as a model would have had them, and what is to be made of each.
import { call, done, type ScriptedCall, type Turn } from "../agent/scripted-turn.ts";

export interface SessionRow {
  readonly about: string;
  /** Beginning with what the person asked for. */
  readonly task: string;
  /** One reply with one call each; the last one is the answer. */
  readonly turns: readonly Turn[];
  /** Files of the project. */
  readonly files?: Readonly<Record<string, string>>;
  /** Lines or parts of lines of the definition. */
  readonly has: readonly string[];
  readonly hasNot?: readonly string[];
  /** The recorded result. */
  readonly result: string;
}

const run = (command: string): Turn => one(call("run_command", { command }));
const argv = (...words: readonly string[]): Turn => one(call("run_command", { argv: words }));
const fetch = (url: string, more: Readonly<Record<string, unknown>> = {}): Turn =>
  one(call("web_fetch", { url, ...more }));
const write = (file_path: string, content: string): Turn => one(call("write_file", { file_path, content }));
const one = (...calls: readonly ScriptedCall[]): Turn => ({ calls });

const commandRows: readonly SessionRow[] = [
  {
    about: "commands: a file of the person's words is a parameter, and looking around is left out",
    task: "Count the lines of notes.txt",
    files: { "notes.txt": "a\nb\nc\n" },
    turns: [run("ls"), run("wc -l < notes.txt"), done("3")],
    has: ["@step wc sh", "wc -l < {file}", "Left out: call 1 (run_command) only looked"],
    hasNot: ["\n    ls"],
    result: "3",
  },
  {
    about: "commands: a direct command has words of its own",
    task: 'Find "TODO: later" in src/a.js',
    files: { "src/a.js": "one\n// TODO: later\n" },
    turns: [argv("grep", "-n", "TODO: later", "src/a.js"), done("line 2")],
    has: ["@step grep runs", "grep -n {pattern} {file}"],
    result: "2:// TODO: later",
  },
  {
    about: "commands: failed attempts are left out, and a file that is written twice is so again",
    task: "Sum the numbers of data.txt with awk",
    files: { "data.txt": "1\n2\n39\n" },
    turns: [
      run("awk '{s+=$1} END {print s' data.txt"),
      write("sum.awk", "{ s += $1 } END { print t }\n"),
      write("sum.awk", "{ s += $1 } END { print s }\n"),
      run("awk -f sum.awk data.txt"),
      done("The sum is 42."),
    ],
    has: ["call 1 (run_command) failed (exit)", "@step awk", '"data.txt"'],
    result: "42",
  },
  {
    about: "commands: an output goes into the next command, with its own name",
    task: "Which branch name does HEAD.txt hold? Make a folder of that name and list it",
    files: { "HEAD.txt": "feature-seven\n" },
    turns: [run("cat HEAD.txt"), run("mkdir -p out/feature-seven && ls out"), done("feature-seven")],
    has: ["@step cat runs", "cat {file}", "out/{cat}"],
    result: "feature-seven",
  },
  {
    about: "commands: an output goes into a text that is written",
    task: "Write a report.md that says how many words essay.txt has",
    files: { "essay.txt": "one two three four\n" },
    turns: [
      run("wc -w < essay.txt"),
      write("report.md", "# Words\n\nThe essay has 4 words, and costs $4 or {4}.\n"),
      run("cat report.md"),
      done("Done."),
    ],
    has: ["has {wc} words", "wc -w < {file", "cat {file"],
    result: "# Words\n\nThe essay has 4 words, and costs $4 or {4}.",
  },
  {
    about: "commands: what is JSON is read by its parts",
    task: "Print the version of package.json twice",
    files: { "package.json": '{"name": "thing", "versions": [{"version": "1.22.333"}]}\n' },
    turns: [run("cat package.json"), run("printf '%s %s\\n' 1.22.333 '1.22.333'"), done("1.22.333 1.22.333")],
    has: ["{cat.json.versions[0].version}"],
    hasNot: ["'1.22.333'"],
    result: "1.22.333 1.22.333",
  },
  {
    about: "commands: names of the project's folder are names of any folder",
    task: "Show the first two lines of list.txt",
    files: { "list.txt": "one\ntwo\nthree\n" },
    turns: [argv("head", "-n", "2", "FOLDER/list.txt"), done("one and two")],
    has: ["head -n 2 {WORKSPACE}/{file}"],
    result: "one\ntwo",
  },
  {
    about: "commands: a pipe, and braces and dollars that belong to the shell",
    task: "Print the second column of table.txt, sorted",
    files: { "table.txt": "a 9\nb 10\nc 8\n" },
    turns: [run("awk '{print $2}' table.txt | sort -n | while read x; do echo \"${x}!\"; done"), done("8 9 10")],
    has: ["{print $2}", '"${x}!"'],
    result: "8!\n9!\n10!",
  },
  {
    about: "commands: of several tries the last one counts, with its values",
    task: "Show some lines of log.txt, enough to see the error",
    files: { "log.txt": "ok\nok\nerror 5\nok\n" },
    turns: [argv("head", "-n", "1", "log.txt"), argv("head", "-n", "3", "log.txt"), done("ok\nok\nerror 5")],
    has: ["head -n 3 {file}", "call 1 (run_command) only looked"],
    result: "ok\nok\nerror 5",
  },
  {
    about: "commands: the same look twice is one step, and a value of one command is one of all",
    task: "Copy a.txt to twin and print it",
    files: { "a.txt": "hello\n" },
    turns: [run("cat a.txt"), run("cat a.txt"), run("cp a.txt twin"), run("cat twin && true"), done("hello")],
    has: ["call 2 (run_command) repeats call 1", "cp {file} {target}", "cat {target} && true"],
    result: "hello",
  },
  {
    about: "commands: a value with quotes, blanks and signs stays a value",
    task: 'Write the text `it\'s $HOME; rm -rf {x} "y"` to odd.txt and show it',
    turns: [write("odd.txt", 'it\'s $HOME; rm -rf {x} "y"'), run("cat odd.txt"), done("Done.")],
    has: ["content = {content}", "file_path = {file"],
    result: 'it\'s $HOME; rm -rf {x} "y"',
  },
  {
    about: "commands: a loop over the lines of a file",
    task: "Print the product of each line of pairs.txt",
    files: { "pairs.txt": "2 3\n10 20\n" },
    turns: [
      run("cat pairs.txt"),
      run('while read -r a b; do printf \'%s*%s=%d\\n\' "$a" "$b" "$((a * b))"; done < pairs.txt'),
      done("2*3=6\n10*20=200"),
    ],
    // What the shell computes of a line is left as it was.
    has: ["command = while read -r a b", '"$((a * b))"'],
    result: "2*3=6\n10*20=200",
  },
  {
    about: "commands: a loop whose file is a parameter",
    task: "Print the words of each line of pairs.txt the other way round",
    files: { "pairs.txt": "one two\nthree four\n" },
    turns: [run('while read -r a b; do printf \'%s %s\n\' "$b" "$a"; done < pairs.txt'), done("two one\nfour three")],
    has: ["done < {file}"],
    result: "two one\nfour three",
  },
  {
    about: "commands: names and texts that are not ASCII",
    task: "Zeige größe.txt und suche „Grüße 你好“ darin",
    files: { "größe.txt": "eins\nGrüße 你好 🎉\n" },
    turns: [run("cat größe.txt"), argv("grep", "-n", "Grüße 你好", "größe.txt"), done("2:Grüße 你好 🎉")],
    has: ["grep -n", '"größe.txt"'],
    result: "2:Grüße 你好 🎉",
  },
  {
    about: "commands: words with blanks and both quotes",
    task: `Count the lines with it's "done" in 'my log.txt'`,
    files: { "my log.txt": `it's "done"\nno\nit's "done" too\n` },
    turns: [argv("grep", "-c", `it's "done"`, "my log.txt"), done("2")],
    has: ["grep -c", '"my log.txt"'],
    result: "2",
  },
  {
    about: "commands: a long output is a result",
    task: "Count from 1 to 1500",
    turns: [argv("seq", "1", "1500"), done("Done.")],
    has: ["seq"],
    result: Array.from({ length: 1500 }, (_, index) => String(index + 1)).join("\n"),
  },
  {
    about: "commands: a result that is JSON stays text",
    task: "Show the settings of config.json",
    files: { "config.json": '{"b": [1, 2.5, null], "a": {"ü": "\\u00fc \\"x\\""}}\n' },
    turns: [run("cat config.json"), done("There are two.")],
    has: ["cat {file}"],
    result: '{"b": [1, 2.5, null], "a": {"ü": "\\u00fc \\"x\\""}}',
  },
  {
    about: "commands: a script of many lines, and a failure between steps that count",
    task: "Write totals.sh, which sums the second column of sales.csv, and run it",
    files: { "sales.csv": "a,2\nb,40\n" },
    turns: [
      write(
        "totals.sh",
        'total=0\nwhile IFS=, read -r _ n; do\n  total=$((total + n))\ndone\necho "{total}: $total"\n',
      ),
      run("./totals.sh < sales.csv"),
      run("sh totals.sh < sales.csv"),
      done("{total}: 42"),
    ],
    has: ["call 2 (run_command) failed", "total=$((total + n))", "< {file"],
    hasNot: ["./totals.sh"],
    result: "{total}: 42",
  },
  {
    about: "commands: an edit of a file that was read before",
    task: "Replace red by blue in colours.txt",
    files: { "colours.txt": "red\ngreen\n" },
    turns: [
      one(call("read_file", { file_path: "colours.txt" })),
      one(call("edit_file", { file_path: "FOLDER/colours.txt", edits: [{ search: "red", replace: "blue" }] })),
      run("cat colours.txt"),
      done("blue\ngreen"),
    ],
    has: [
      "call 1 (read_file) only looked",
      "file_path = {file_path}",
      "{search}",
      "{replace}",
      "@step edit_file uses edit_file",
    ],
    result: "blue\ngreen",
  },
];

const webRows = (origin: string): readonly SessionRow[] => [
  {
    about: "web: the address that the person gave",
    task: `What does ${origin}/hello say?`,
    turns: [fetch(`${origin}/hello`, { format: "raw" }), done("Hello, world.")],
    has: ["url = {url}", "format = raw"],
    result: "Hello, world.",
  },
  {
    about: "web: an address that a list had",
    task: `Read the newest of the items of ${origin}/items`,
    turns: [fetch(`${origin}/items`), fetch(`${origin}/items/b-22`), done("The second item.")],
    has: ["{web_fetch.json.items[1].path}"],
    result: "The second item.",
  },
  {
    about: "web: a part of JSON goes to a command",
    task: `Print the ids of ${origin}/items, each on a line`,
    turns: [fetch(`${origin}/items`), run("printf '%s\\n' a-11 b-22"), done("a-11\nb-22")],
    has: ["{web_fetch.json.items[0].id}", "{web_fetch.json.items[1].id}"],
    result: "a-11\nb-22",
  },
  {
    about: "web: a failed address is left out, and the one that the model found stays",
    task: "Fetch page seven of the test server",
    turns: [fetch(`${origin}/page/007`), fetch(`${origin}/page/7`), done("Page seven.")],
    has: ["call 1 (web_fetch) failed", `url = ${origin}/page/7`],
    result: "Page seven.",
  },
  {
    about: "web: a number in the address that the person named, and a file of what came",
    task: `Save page 12 of ${origin} as page.txt and count its letters`,
    turns: [
      fetch(`${origin}/page/12`, { format: "raw" }),
      write("page.txt", "Page twelve."),
      run("wc -c < page.txt"),
      done("12"),
    ],
    has: [`Save page \`number\` of ${origin} as`, "/page/{number}", "content = {web_fetch}", "wc -c < {file"],
    result: "12",
  },
];

const mcpRows: readonly SessionRow[] = [
  {
    about: "MCP: a call with wrong arguments in between is left out",
    task: "Add 3 and 4",
    turns: [one(call("add", { a: 3 })), one(call("add", { a: 3, b: 4 })), done("The sum of 3 and 4 is 7.")],
    has: ["call 1 (add) failed", "a = {a}", "b = {b}"],
    result: "The sum of 3 and 4 is 7.",
  },
  {
    about: "MCP: the same tool twice, with values that differ",
    task: "Say hello, and then say good bye",
    turns: [one(call("say", { message: "hello" })), one(call("say", { message: "good bye" })), done("Echo: good bye")],
    has: ["message = "],
    result: "Echo: good bye",
  },
  {
    about: "MCP: quotes, braces and letters of every kind are said",
    task: `Say "{x} it's \\"ü\\" $HOME 你好"`,
    turns: [one(call("say", { message: `{x} it's \\"ü\\" $HOME 你好` })), done("Done.")],
    has: ["@step say uses say"],
    result: `Echo: {x} it's \\"ü\\" $HOME 你好`,
  },
  {
    about: "MCP: the words of the person are said",
    task: 'Say "good morning" with the server',
    turns: [one(call("say", { message: "good morning" })), done("Echo: good morning")],
    has: ["@step say uses say", "message = {message}"],
    result: "Echo: good morning",
  },
  {
    about: "MCP: numbers are numbers",
    task: "Add 40 and 2",
    turns: [one(call("add", { a: 40, b: 2 })), done("The sum of 40 and 2 is 42.")],
    has: ["Add `a` and `b`\n", "@param a {number}", "a = {a}", "b = {b}"],
    result: "The sum of 40 and 2 is 42.",
  },
  {
    about: "MCP: an output of the server goes into a file, and back to the server",
    task: "Add 1 and 2, say the result and keep it in sum.txt",
    turns: [
      one(call("add", { a: 1, b: 2 })),
      write("sum.txt", "The sum of 1 and 2 is 3.\n"),
      one(call("say", { message: "The sum of 1 and 2 is 3." })),
      done("Echo: The sum of 1 and 2 is 3."),
    ],
    has: ["message = {add}", '"{add}\\n"'],
    result: "Echo: The sum of 1 and 2 is 3.",
  },
];

/** `origin` is of the server whose pages test/forge/sessions.test.ts has. */
export const sessionRows = (origin: string): readonly SessionRow[] => [
  ...commandRows,
  ...webRows(origin),
  ...mcpRows,
  {
    about: "MCP and web: what the server says is asked of the web, after an address that is not there",
    task: `Say hello, and read the page of that name of ${origin}`,
    turns: [
      one(call("say", { message: "hello" })),
      fetch(`${origin}/missing`),
      fetch(`${origin}/hello`, { format: "raw" }),
      write("page.txt", "Echo: hello\nHello, world.\n"),
      run("cat page.txt"),
      done("Echo: hello\nHello, world."),
    ],
    has: ["call 2 (web_fetch) failed", "{say}"],
    result: "Echo: hello\nHello, world.",
  },
  {
    about: "MCP, web and commands: data of one goes to the next",
    task: `Look up the weather in Chicago, and say it and what ${origin}/hello says`,
    turns: [
      one(call("weather", { location: "Chicago" })),
      fetch(`${origin}/hello`, { format: "raw" }),
      one(call("say", { message: "Light rain / drizzle; Hello, world." })),
      run("printf '%s\\n' 'Echo: Light rain / drizzle; Hello, world.'"),
      done("Echo: Light rain / drizzle; Hello, world."),
    ],
    has: ["message = {weather.json.conditions}; {web_fetch}", "{say}", "location = "],
    result: "Echo: Light rain / drizzle; Hello, world.",
  },
];
