// Wrong calls as models make them, with the intended ones. The tools are the bundled ones and those in teaching-tools/.
import type { JsonObject } from "../../src/schema/json.ts";

export interface TeachingRow {
  readonly kind: string;
  readonly tool: string;
  /** What the caller passes as arguments. */
  readonly sent: unknown;
  /** The call with which the text has to end. */
  readonly meant: JsonObject;
  /** The tool of that call, if the name was wrong. */
  readonly meantTool?: string;
  /** Values that only the caller can know. Such a call is valid, and need not succeed. */
  readonly placeholders?: readonly string[];
}

const lines = { file_path: "a.txt", start_line: 2, end_line: 3 };
const address = { street: "Bahnhofstrasse 1", city: "Zug" };
const home = { address };
const pen = { item: "pen" };

type Row = readonly [kind: string, tool: string, sent: unknown, meant: JsonObject, placeholders?: readonly string[]];
/** Kind, wrong name, sent, right name, meant, placeholders. */
type NameRow = readonly [
  kind: string,
  wrong: string,
  sent: unknown,
  right: string,
  meant: JsonObject,
  placeholders?: readonly string[],
];

const argumentRows: readonly Row[] = [
  // Names of parameters.
  ["a typo in a parameter", "read_file", { file_pth: "a.txt" }, { file_path: "a.txt" }],
  ["swapped letters", "read_file", { flie_path: "a.txt" }, { file_path: "a.txt" }],
  ["camelCase for snake_case", "read_file", { filePath: "a.txt", startLine: 2, endLine: 3 }, lines],
  ["hyphens for underscores", "read_file", { "file-path": "a.txt", "start-line": 2, "end-line": 3 }, lines],
  ["capitals", "read_file", { FILE_PATH: "a.txt" }, { file_path: "a.txt" }],
  ["singular for plural", "head", { file: ["a.txt"] }, { files: ["a.txt"] }],
  ["singular for plural, and one value", "head", { file: "a.txt" }, { files: ["a.txt"] }],
  ["plural for singular", "order", { items: "pen" }, pen],
  ["a part of the name", "read_file", { path: "a.txt" }, { file_path: "a.txt" }],
  ["another word for it", "run_command", { cmd: "echo hi" }, { command: "echo hi" }],
  [
    "another word for it, from another agent",
    "search_text",
    { query: "two", path: "." },
    { pattern: "two", path: "." },
  ],
  [
    "other words for several",
    "write_file",
    { filename: "out.txt", text: "hi\n" },
    { file_path: "out.txt", content: "hi\n" },
  ],
  ["an unknown name, and one value that is missing", "order", { product: "pen" }, pen],
  ["a parameter too many", "list_dir", { path: ".", colour: "red" }, { path: "." }],
  ["a parameter of another tool", "between", { from: 1, to: 3, step: 1 }, { from: 1, to: 3 }],
  ["a typo beside the right name", "between", { from: 1, to: 3, too: 5 }, { from: 1, to: 3 }],
  [
    "a hidden unit in the name",
    "run_command",
    { command: "echo hi", timeout: 5 },
    { command: "echo hi", timeout_s: 5 },
  ],

  // Types.
  ["a number as text", "order", { item: "pen", count: "3" }, { item: "pen", count: 3 }],
  ["a number as text with blanks", "order", { item: "pen", count: " 3 " }, { item: "pen", count: 3 }],
  ["a number with separators", "order", { item: "pen", max_bytes: "1,048,576" }, { item: "pen", max_bytes: 1_048_576 }],
  ["a number with underscores", "order", { item: "pen", max_bytes: "1_000" }, { item: "pen", max_bytes: 1000 }],
  [
    "a number with its unit",
    "run_command",
    { command: "echo hi", timeout_s: "10s" },
    { command: "echo hi", timeout_s: 10 },
  ],
  [
    "a number in another unit",
    "run_command",
    { command: "echo hi", timeout_s: "500ms" },
    { command: "echo hi", timeout_s: 0.5 },
  ],
  ["minutes for seconds", "order", { item: "pen", wait_s: "2 min" }, { item: "pen", wait_s: 120 }],
  ["a size with a unit", "order", { item: "pen", max_bytes: "2 KiB" }, { item: "pen", max_bytes: 2048 }],
  ["a number with a word", "head", { files: ["a.txt"], lines: "2 lines" }, { files: ["a.txt"], lines: 2 }],
  ["a number in a list", "order", { item: "pen", count: [3] }, { item: "pen", count: 3 }],
  ["a fraction for a whole number", "order", { item: "pen", count: 2.6 }, { item: "pen", count: 3 }],
  ["a boolean as text", "sort_lines", { files: ["b.txt"], reverse: "true" }, { files: ["b.txt"], reverse: true }],
  [
    "a boolean in Python",
    "sort_lines",
    { files: ["b.txt"], reverse: "True", unique: "False" },
    { files: ["b.txt"], unique: false, reverse: true },
  ],
  ["a typo in true", "release", { version: "v1.2.3", dry_run: "ture" }, { version: "v1.2.3", dry_run: true }],
  ["yes for true", "sort_lines", { files: ["b.txt"], reverse: "yes" }, { files: ["b.txt"], reverse: true }],
  [
    "1 and 0 for a boolean",
    "sort_lines",
    { files: ["b.txt"], reverse: 1, unique: 0 },
    { files: ["b.txt"], unique: false, reverse: true },
  ],
  ["text for a list", "head", { files: "a.txt" }, { files: ["a.txt"] }],
  ["a list as JSON in text", "head", { files: '["a.txt", "b.txt"]' }, { files: ["a.txt", "b.txt"] }],
  [
    "choices with commas for a list",
    "order",
    { item: "pen", colors: "red, green" },
    { item: "pen", colors: ["red", "green"] },
  ],
  ["a list for text", "order", { item: ["pen"] }, pen],
  ["a list of words for a command", "run_command", { command: ["echo", "hi"] }, { argv: ["echo", "hi"] }],
  ["a number for text", "search_text", { pattern: 2 }, { pattern: "2" }],
  [
    "a number in a list of texts",
    "grep",
    { arguments: ["-m", 2, "e", "a.txt"] },
    { arguments: ["-m", "2", "e", "a.txt"] },
  ],
  [
    "an object for text",
    "write_file",
    { file_path: "out.json", content: { a: 1 } },
    { file_path: "out.json", content: '{"a":1}' },
  ],
  ["an object with an index for a list", "head", { files: { 0: "a.txt", 1: "b.txt" } }, { files: ["a.txt", "b.txt"] }],
  ["a list inside an object", "head", { files: { item: ["a.txt"] } }, { files: ["a.txt"] }],
  [
    "one object for a list of them",
    "edit_file",
    { file_path: "a.txt", edits: { search: "two", replace: "2" } },
    { file_path: "a.txt", edits: [{ search: "two", replace: "2" }] },
  ],
  ["an object as JSON in text", "ship", { address: JSON.stringify(address) }, home],
  ["an object as YAML in text", "ship", { address: "street: Bahnhofstrasse 1\ncity: Zug\n" }, home],
  ["an object in single quotes", "ship", { address: "{'street': 'Bahnhofstrasse 1', 'city': 'Zug'}" }, home],
  ["a list as YAML in text", "head", { files: "- a.txt\n- b.txt\n" }, { files: ["a.txt", "b.txt"] }],
  [
    "a list of objects as JSON in text",
    "todo_write",
    { todos: '[{"content":"test","status":"pending"}]' },
    { todos: [{ content: "test", status: "pending" }] },
  ],
  [
    "objects as JSON in a list",
    "todo_write",
    { todos: ['{"content":"test","status":"pending"}'] },
    { todos: [{ content: "test", status: "pending" }] },
  ],
  [
    "null for what is optional",
    "read_file",
    { file_path: "a.txt", start_line: null, find_words: null },
    { file_path: "a.txt" },
  ],
  ["null for what is needed", "order", { item: null, count: 2 }, { item: "<item>", count: 2 }, ["item"]],
  ["the text null for a number", "order", { item: "pen", count: "null" }, { item: "pen", count: 1 }, ["count"]],

  // Values.
  ["capitals in a choice", "order", { item: "pen", size: "LARGE" }, { item: "pen", size: "large" }],
  ["a typo in a choice", "order", { item: "pen", size: "mediun" }, { item: "pen", size: "medium" }],
  ["the beginning of a choice", "order", { item: "pen", size: "med" }, { item: "pen", size: "medium" }],
  ["blanks around a choice", "order", { item: "pen", size: " small " }, { item: "pen", size: "small" }],
  [
    "a hyphen in a choice",
    "todo_write",
    { todos: [{ content: "test", status: "in-progress" }] },
    { todos: [{ content: "test", status: "in_progress" }] },
  ],
  ["an unknown choice", "order", { item: "pen", size: "gigantic" }, { item: "pen", size: "medium" }, ["size"]],
  ["an unknown choice in a list", "order", { item: "pen", colors: ["red", "mauve"] }, { item: "pen", colors: ["red"] }],
  [
    "capitals in a list of choices",
    "order",
    { item: "pen", colors: ["Red", "BLUE"] },
    { item: "pen", colors: ["red", "blue"] },
  ],
  [
    "the same twice",
    "order",
    { item: "pen", colors: ["red", "red", "blue"] },
    { item: "pen", colors: ["red", "blue"] },
  ],
  ["below the range", "order", { item: "pen", count: 0 }, { item: "pen", count: 1 }],
  ["above the range", "order", { item: "pen", count: 5000 }, { item: "pen", count: 100 }],
  ["far too large", "order", { item: "pen", count: 1e300 }, { item: "pen", count: 100 }],
  ["a negative price", "order", { item: "pen", price: -1.5 }, { item: "pen", price: 0 }],
  ["a share as text", "order", { item: "pen", share: "0.5" }, { item: "pen", share: 0.5 }],
  ["too many items", "order", { item: "pen", notes: ["a", "b", "c", "d"] }, { item: "pen", notes: ["a", "b", "c"] }],
  ["an empty list where some are needed", "head", { files: [] }, { files: ["README.md"] }, ["files"]],
  [
    "a text that is too long",
    "order",
    { item: "pen", label: "abcdefghijklmnop" },
    { item: "pen", label: "abcdefghij" },
    ["label"],
  ],
  ["a text that is too short", "order", { item: "pen", label: "a" }, { item: "pen", label: "<label>" }, ["label"]],
  ["an empty text", "search_text", { pattern: "" }, { pattern: "TODO|FIXME" }, ["pattern"]],
  ["capitals against a pattern", "order", { item: "Pen" }, pen],
  ["blanks against a pattern", "order", { item: "red pen" }, { item: "red-pen" }],
  ["quotes around a value", "order", { item: '"pen"' }, pen],
  ["small letters against a pattern", "order", { item: "pen", code: "abc-1234" }, { item: "pen", code: "ABC-1234" }],
  ["what fits no pattern", "order", { item: "pen", code: "?" }, { item: "pen", code: "<code>" }, ["code"]],
  ["a version without its v", "release", { version: "1.2.3" }, { version: "v1.2.3" }],
  ["a date with slashes", "order", { item: "pen", day: "2026/11/21" }, { item: "pen", day: "2026-11-21" }],
  ["a date with points", "order", { item: "pen", day: "21.11.2026" }, { item: "pen", day: "2026-11-21" }],
  ["a date with the time", "order", { item: "pen", day: "2026-11-21T10:00:00Z" }, { item: "pen", day: "2026-11-21" }],
  [
    "an object of the language for a date",
    "order",
    { item: "pen", day: new Date(Date.UTC(2026, 10, 21)) },
    { item: "pen", day: "2026-11-21" },
  ],
  [
    "an address without its scheme",
    "order",
    { item: "pen", link: "example.com/pen" },
    { item: "pen", link: "https://example.com/pen" },
  ],
  ["a refused word", "glob", { arguments: [".", "-name", "a.txt", "-delete"] }, { arguments: [".", "-name", "a.txt"] }],
  ["a refused word in a list", "words", { words: ["-x", "yes"] }, { words: ["yes"] }],
  ["a word that starts with a dash", "between", { from: 1, to: "-x" }, { from: 1, to: "<to>" }, ["to"]],
  [
    "a revision that is an option",
    "git_log",
    { revision: "--output=stolen.txt" },
    { revision: "main..topic" },
    ["revision"],
  ],
  ["a path that leads elsewhere", "note", { name: "../../etc/passwd" }, { name: "<name>" }, ["name"]],
  ["a line too many", "release", { version: "v1.2.3\nrm -rf /" }, { version: "<version>" }, ["version"]],
  ["a NUL in a path", "read_file", { file_path: "a.txt\0" }, { file_path: "a.txt" }],
  ["half a character", "search_text", { pattern: "two\ud800" }, { pattern: "two\ufffd" }],
  ["not a number", "order", { item: "pen", count: Number.NaN }, { item: "pen", count: 1 }, ["count"]],
  ["infinity", "order", { item: "pen", count: Number.POSITIVE_INFINITY }, { item: "pen", count: 100 }],
  ["a number of the language", "order", { item: "pen", count: 3n }, { item: "pen", count: 3 }],
  ["two that exclude each other", "run_command", { command: "echo hi", argv: ["echo", "hi"] }, { command: "echo hi" }],
  [
    "a number for a variable",
    "run_command",
    { command: "echo $PORT", env: { PORT: 8080 } },
    { command: "echo $PORT", env: { PORT: "8080" } },
  ],
  [
    "the same text twice",
    "edit_file",
    { file_path: "a.txt", edits: [{ search: "two", replace: "two" }] },
    { file_path: "a.txt", edits: [{ search: "const limit = 10;", replace: "const limit = 20;" }] },
    ["edits"],
  ],

  // Missing arguments.
  ["nothing at all", "read_file", {}, { file_path: "src/main.ts" }, ["file_path"]],
  ["one of two", "between", { from: 2 }, { from: 2, to: "<to>" }, ["to"]],
  ["a choice of nothing", "run_command", {}, { command: "git log --oneline | head -5" }, ["command"]],
  ["undefined", "order", { item: undefined }, { item: "<item>" }, ["item"]],

  // Arguments in another shape.
  ["arguments as JSON in text", "read_file", '{"file_path": "a.txt"}', { file_path: "a.txt" }],
  ["arguments in a fence", "read_file", '```json\n{"file_path": "a.txt"}\n```', { file_path: "a.txt" }],
  ["arguments as JSON in JSON", "read_file", JSON.stringify('{"file_path": "a.txt"}'), { file_path: "a.txt" }],
  [
    "arguments as Python has them",
    "sort_lines",
    "{'files': ['b.txt'], 'reverse': True}",
    { files: ["b.txt"], reverse: true },
  ],
  ["arguments with a comma too many", "between", '{"from": 1, "to": 3,}', { from: 1, to: 3 }],
  ["arguments as YAML", "between", "from: 1\nto: 3\n", { from: 1, to: 3 }],
  ["arguments without quotes", "read_file", "{file_path: a.txt}", { file_path: "a.txt" }],
  ["arguments without quotes and blanks", "between", "{from:1,to:3}", { from: 1, to: 3 }],
  ["a text alone that looks like YAML", "search_text", "two: three", { pattern: "two: three" }],
  ["a text alone", "read_file", "a.txt", { file_path: "a.txt" }],
  ["a number alone", "order", 5, { item: "<item>" }, ["item"]],
  ["a number alone, for text", "search_text", 2, { pattern: "2" }],
  ["values without names", "between", [1, 3], { from: 1, to: 3 }],
  ["values without names, the last left out", "read_file", ["a.txt", 2, 3], lines],
  ["words for the only list", "grep", ["-n", "two", "a.txt"], { arguments: ["-n", "two", "a.txt"] }],
  ["the arguments in a list", "read_file", [{ file_path: "a.txt" }], { file_path: "a.txt" }],
  ["wrapped in input", "read_file", { input: { file_path: "a.txt" } }, { file_path: "a.txt" }],
  ["wrapped in arguments", "read_file", { arguments: { file_path: "a.txt" } }, { file_path: "a.txt" }],
  ["wrapped in parameters", "between", { parameters: { from: 1, to: 3 } }, { from: 1, to: 3 }],
  ["wrapped in params and in input", "between", { params: { input: { from: 1, to: "3" } } }, { from: 1, to: 3 }],
  ["wrapped in arguments, as text", "read_file", { arguments: '{"file_path": "a.txt"}' }, { file_path: "a.txt" }],
  ["a whole call", "read_file", { name: "read_file", arguments: { file_path: "a.txt" } }, { file_path: "a.txt" }],
  [
    "a whole call of an API",
    "read_file",
    { type: "function", id: "call_1", function: { name: "read_file", arguments: '{"file_path": "a.txt"}' } },
    { file_path: "a.txt" },
  ],
  [
    "a request of MCP",
    "read_file",
    { method: "tools/call", params: { name: "read_file", arguments: { file_path: "a.txt" } } },
    { file_path: "a.txt" },
  ],
  [
    "wrapped like its own parameter",
    "grep",
    { arguments: { arguments: ["-n", "two", "a.txt"] } },
    { arguments: ["-n", "two", "a.txt"] },
  ],
  ["another name for the words", "grep", { args: ["-n", "two", "a.txt"] }, { arguments: ["-n", "two", "a.txt"] }],
  ["null for the arguments", "read_file", null, { file_path: "src/main.ts" }, ["file_path"]],
  ["undefined for the arguments", "list_dir", undefined, {}],

  // Mistakes deep in objects.
  ["a typo deep down", "ship", { address: { stret: "Bahnhofstrasse 1", city: "Zug" } }, home],
  [
    "camelCase deep down",
    "ship",
    { address: { ...address, zipCode: "6300" } },
    { address: { ...address, zip_code: "6300" } },
  ],
  [
    "a number for text deep down",
    "ship",
    { address: { ...address, zip_code: 6300 } },
    { address: { ...address, zip_code: "6300" } },
  ],
  [
    "a choice deep down",
    "ship",
    { address: { ...address, country: "ch" } },
    { address: { ...address, country: "CH" } },
  ],
  ["too much deep down", "ship", { address: { ...address, planet: "Earth" } }, home],
  [
    "missing deep down",
    "ship",
    { address: { street: "Bahnhofstrasse 1" } },
    { address: { street: "Bahnhofstrasse 1", city: "<city>" } },
    ["address.city"],
  ],
  [
    "out of range in a list",
    "ship",
    { ...home, parcels: [{ weight: 5 }, { weight: 99, fragile: "no" }] },
    { ...home, parcels: [{ weight: 5 }, { weight: 30, fragile: false }] },
  ],
  [
    "one text for a list deep down",
    "ship",
    { ...home, parcels: [{ weight: "5", labels: "up" }] },
    { ...home, parcels: [{ weight: 5, labels: ["up"] }] },
  ],
  [
    "missing in the second of a list",
    "edit_file",
    { file_path: "a.txt", edits: [{ search: "one", replace: "1" }, { search: "two" }] },
    {
      file_path: "a.txt",
      edits: [
        { search: "one", replace: "1" },
        { search: "two", replace: "<replace>" },
      ],
    },
    ["edits[1].replace"],
  ],
  [
    "names of another editor",
    "edit_file",
    { file_path: "a.txt", edits: [{ old_string: "two", new_string: "2" }] },
    { file_path: "a.txt", edits: [{ search: "two", replace: "2" }] },
  ],
  [
    "flat where a list of objects belongs",
    "edit_file",
    { path: "a.txt", old_string: "two", new_string: "2" },
    { file_path: "a.txt", edits: [{ search: "two", replace: "2" }] },
  ],

  // Aliases, presets, steps, secrets, transforms.
  ["a preset that callers cannot set", "first_lines", { files: ["a.txt"], lines: 5 }, { files: ["a.txt"] }],
  ["text for a list of a wrap", "first_lines", { files: "a.txt" }, { files: ["a.txt"] }],
  ["an alias with a typo", "show", { file_paht: "a.txt" }, { file_path: "a.txt" }],
  ["an alias in capitals", "Read", { Path: "a.txt" }, { file_path: "a.txt" }],
  [
    "a tool of steps with a bad choice",
    "release",
    { version: "v1.2.3", channel: "Beta" },
    { version: "v1.2.3", channel: "beta" },
  ],
  [
    "a tool of steps without what it needs",
    "release",
    { dryRun: "yes" },
    { version: "<version>", dry_run: true },
    ["version"],
  ],
  [
    "a secret beside a mistake",
    "login",
    { user: "ana", token: "s3cret-s3cret", attempts: 50 },
    { user: "ana", token: "•••", attempts: 5 },
    ["token"],
  ],
  ["a secret with a typo", "login", { user: "ana", tokn: "s3cret-s3cret" }, { user: "ana", token: "•••" }, ["token"]],
  ["a secret that is missing", "login", { user: "ana" }, { user: "ana", token: "•••" }, ["token"]],
  ["beside what is changed first", "upper", { name: "ana", times: "2" }, { name: "ana", times: 2 }],
];

const nameRows: readonly NameRow[] = [
  ["a typo in a name", "raed_file", { file_path: "a.txt" }, "read_file", { file_path: "a.txt" }],
  [
    "a typo in the name of what writes",
    "wirte_file",
    { file_path: "out.txt", content: "hi\n" },
    "write_file",
    { file_path: "out.txt", content: "hi\n" },
  ],
  ["capitals in a name", "READ_FILE", { file_path: "a.txt" }, "read_file", { file_path: "a.txt" }],
  ["a hyphen in a name", "read-file", { file_path: "a.txt" }, "read_file", { file_path: "a.txt" }],
  ["camelCase in a name", "readFile", { file_path: "a.txt" }, "read_file", { file_path: "a.txt" }],
  ["a name of an API", "shop__price", { product: "pen" }, "shop/price", { product: "pen" }],
  ["an owner that is missing", "price", { product: "pen" }, "shop/price", { product: "pen" }],
  ["an owner with a point", "shop.price", { product: "pen" }, "shop/price", { product: "pen" }],
  ["a name of an MCP client", "mcp__dottool__read_file", { file_path: "a.txt" }, "read_file", { file_path: "a.txt" }],
  [
    "a name of an MCP client, with an owner",
    "mcp__dottool__shop__price",
    { product: "pen" },
    "shop/price",
    { product: "pen" },
  ],
  ["a prefix", "functions.read_file", { file_path: "a.txt" }, "read_file", { file_path: "a.txt" }],
  ["a prefix of another kind", "default_api:list_dir", {}, "list_dir", {}],
  ["the shell of another agent", "bash", { command: "echo hi" }, "run_command", { command: "echo hi" }],
  [
    "the shell of another agent, by other names",
    "execute_command",
    { cmd: "echo hi" },
    "run_command",
    { command: "echo hi" },
  ],
  [
    "the editor of another agent",
    "str_replace",
    { path: "a.txt", old_str: "two", new_str: "2" },
    "edit_file",
    { file_path: "a.txt", edits: [{ search: "two", replace: "2" }] },
  ],
  ["the reader of another agent", "view", { path: "a.txt" }, "read_file", { file_path: "a.txt" }],
  [
    "the writer of another agent",
    "create_file",
    { path: "out.txt", file_text: "hi\n" },
    "write_file",
    { file_path: "out.txt", content: "hi\n" },
  ],
  ["the search of another agent", "grep_search", { query: "two" }, "search_text", { pattern: "two" }],
  ["the list of another agent", "list_directory", { directory: "." }, "list_dir", { path: "." }],
  [
    "a wrong name and wrong arguments",
    "raed_file",
    { filePath: "a.txt", startLine: "2" },
    "read_file",
    { file_path: "a.txt", start_line: 2 },
  ],
  ["a wrong name and nothing", "raed_file", {}, "read_file", { file_path: "src/main.ts" }, ["file_path"]],
];

export const teachingRows: readonly TeachingRow[] = [
  ...argumentRows.map(([kind, tool, sent, meant, placeholders]) => ({
    kind,
    tool,
    sent,
    meant,
    ...(placeholders ? { placeholders } : {}),
  })),
  ...nameRows.map(([kind, tool, sent, meantTool, meant, placeholders]) => ({
    kind,
    tool,
    sent,
    meant,
    meantTool,
    ...(placeholders ? { placeholders } : {}),
  })),
];
