// Definitions as whole values. Mistakes in files are tested in ../cases.
import "../windows-shells.ts";
import { readFileSync } from "node:fs";
import { analyzeToolFile, type AnalyzeOptions } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { assert, suite } from "../harness.ts";

const test = suite("analyzeToolFile");

/** Returns a definition without places, and without empty fields of the head. */
function defined(text: string, options?: AnalyzeOptions): unknown {
  const { value, diagnostics } = analyzeToolFile(parseToolFile({ path: "t.txt", text }), options);
  if (!value) return diagnostics.map((diagnostic) => `${diagnostic.code}: ${diagnostic.message}`);
  const spare = (key: string, inner: unknown): unknown =>
    key === "span" || key === "origin" || (Array.isArray(inner) && inner.length === 0) ? undefined : inner;
  return JSON.parse(JSON.stringify(value, spare));
}

const frame = "Words.\n\n@title T\n@name t\n@wrapped run_command\n";
const framed = {
  kind: "wrapped",
  name: { value: "t" },
  title: "T",
  description: "Words.",
  limits: {},
  base: { value: "run_command" },
  surroundings: { inheritsEnvironment: false },
  ignoreErrors: false,
};
const ls = [{ command: { kind: "direct", words: [{ parts: ["ls"] }] } }];

function parametersOf(lines: string): unknown {
  const { value, diagnostics } = analyzeToolFile(
    parseToolFile({ path: "t.txt", text: `@name t\n@wrapped x\n${lines}` }),
  );
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error");
  return value ? value.parameters : errors.map((diagnostic) => `${diagnostic.code}: ${diagnostic.message}`);
}

test("analyzeToolFile makes an alias of a name and a base", () => {
  assert.equal(defined("@name webFetch\n@wrapped web_fetch"), {
    kind: "alias",
    name: { value: "webFetch" },
    title: "Web Fetch",
    description: "",
    limits: {},
    base: { value: "web_fetch" },
  });
});

test("analyzeToolFile keeps an alias with words for people and defaults", () => {
  const text =
    'A page.\n\n@name page_text\n@title Page\n@wrapped web_fetch\n@default format = text\n@default headers = {"a": [1]}\n@tags network web\n@timeout 5s';
  assert.equal(defined(text), {
    kind: "alias",
    name: { value: "page_text" },
    title: "Page",
    description: "A page.",
    declaredEffects: ["network"],
    tags: ["web"],
    limits: { timeoutMs: 5_000 },
    base: { value: "web_fetch" },
    defaults: [
      { parameter: { value: "format" }, value: { value: "text" } },
      { parameter: { value: "headers" }, value: { value: { a: [1] } } },
    ],
  });
});

test("analyzeToolFile makes a wrap of a preset", () => {
  assert.equal(
    defined(
      "Words.\n\n@title T\n@name t\n@wrapped web_fetch\n@with url = https://e.org/{page} \n@param page [required] Which",
    ),
    {
      ...framed,
      base: { value: "web_fetch" },
      parameters: [{ name: "page", description: "Which", schema: { type: "string" }, required: true }],
      presets: [{ parameter: { value: "url" }, text: { value: "https://e.org/{page}" } }],
    },
  );
});

test("analyzeToolFile reads every annotation about a process", () => {
  const text = `${frame}@command ls\n@command(unix) ls -l\n@shell(windows) pwsh\n@command(windows) dir\n@cwd sub/{n}\n@stdin {n}{{}}\n@env A=x {n}\n@env B=\n@env-inherit yes\n@param n {integer} N\n@timeout 1.5m\n@limit output=1KiB, memory=2MB cpu=100ms rate=10/min\n@retry 3 delay=2s\n@fallback echo no\n@ignore-errors`;
  assert.equal(defined(text), {
    ...framed,
    parameters: [{ name: "n", description: "N", schema: { type: "integer" }, required: false }],
    limits: {
      timeoutMs: 90_000,
      outputBytesMax: 1_024,
      memoryBytesMax: 2_000_000,
      cpuMsMax: 100,
      rate: { calls: 10, perMs: 60_000 },
      retries: { attempts: 3, delayMs: 2_000 },
    },
    commands: [
      ...ls,
      { platform: "unix", command: { kind: "direct", words: [{ parts: ["ls"] }, { parts: ["-l"] }] } },
      { platform: "windows", command: { kind: "shell", shell: "pwsh", parts: ["dir"] } },
    ],
    fallback: { kind: "direct", words: [{ parts: ["echo"] }, { parts: ["no"] }] },
    surroundings: {
      cwd: { parts: ["sub/", { placeholder: "n" }] },
      stdin: { parts: [{ placeholder: "n" }, "{}"] },
      environment: [
        { name: "A", value: { parts: ["x ", { placeholder: "n" }] } },
        { name: "B", value: {} },
      ],
      inheritsEnvironment: true,
    },
    ignoreErrors: true,
  });
});

test("analyzeToolFile reads every annotation about finding and needing", () => {
  const text = `${frame}@command ls\n@tags read, files\n@category disk\n@keywords a, b c\n@version 1.2.3-rc.1\n@requires rg >= 13, jq\n@requires fd ^8\n@depends official/summarize@^1.0.0 other\n@platforms linux, macos\n@deprecated\n@help More\n    words\n@changelog 1 first\n@changelog 2 second\n@note nothing\n@x-y z`;
  assert.equal(defined(text), {
    ...framed,
    declaredEffects: ["read"],
    tags: ["files"],
    category: "disk",
    keywords: ["a", "b", "c"],
    version: "1.2.3-rc.1",
    requires: [{ program: "rg", range: ">= 13" }, { program: "jq" }, { program: "fd", range: "^8" }],
    depends: [{ tool: "official/summarize", range: "^1.0.0" }, { tool: "other" }],
    platforms: ["linux", "macos"],
    deprecated: "",
    help: "More\nwords",
    changelog: ["1 first", "2 second"],
    notes: ["nothing"],
    annotations: ["x-y z"],
    commands: ls,
  });
});

test("analyzeToolFile reads tests", () => {
  const body =
    'with {"a":\n       1}\n    expect exit-code 0\n\n    expect output-contains some words\n    expect output-equals " a\\n"\n    expect output-matches /a b/i\n    expect output-not-contains "\n    expect error-contains e\n    expect file-exists a b\n    expect file-contains "a b" c d\n    expect directory-exists d\n    expect not-file-exists n\n    expect result [1]\n    setup touch a\n    cleanup rm a';
  const { value } = analyzeToolFile(
    parseToolFile({ path: "t.txt", text: `@name t\n@wrapped x\n@test one thing in .\n    ${body}` }),
  );
  assert.equal(value?.tests, [
    {
      name: "one thing",
      folder: "definition",
      arguments: { a: 1 },
      expectations: [
        { kind: "exit-code", exitCode: 0 },
        { kind: "output-contains", text: "some words" },
        { kind: "output-equals", text: " a\n" },
        { kind: "output-matches", source: "a b", flags: "i" },
        { kind: "output-not-contains", text: '"' },
        { kind: "error-contains", text: "e" },
        { kind: "file-exists", path: "a b" },
        { kind: "file-contains", path: "a b", text: "c d" },
        { kind: "directory-exists", path: "d" },
        { kind: "not-file-exists", path: "n" },
        { kind: "result", value: [1] },
      ],
      setup: ["touch a"],
      cleanup: ["rm a"],
    },
  ]);
});

test("analyzeToolFile reads types, choices and nesting", () => {
  assert.equal(
    parametersOf(
      '@param a\n@param b Words\n@param c {path}\n@param d {url}\n@param e {"json" | "te,x]t"} [default=json] How\n@param f { array < array<number> > }\n@param g {object}',
    ),
    [
      { name: "a", description: "", schema: { type: "string" }, required: false },
      { name: "b", description: "Words", schema: { type: "string" }, required: false },
      { name: "c", description: "", schema: { type: "string", format: "path" }, required: false },
      { name: "d", description: "", schema: { type: "string", format: "url" }, required: false },
      {
        name: "e",
        description: "How",
        schema: { type: "string", choices: ["json", "te,x]t"] },
        required: false,
        default: "json",
      },
      {
        name: "f",
        description: "",
        schema: { type: "array", items: { type: "array", items: { type: "number" } } },
        required: false,
      },
      { name: "g", description: "", schema: { type: "object", properties: [], open: true }, required: false },
    ],
  );
});

test("analyzeToolFile reads options, with commas in expressions and values by the declared type", () => {
  const lines =
    '@param a {string} [required min=1,max=5 pattern=/[a,\\]/]+/i, reject=/^x{1,2}$/, lower trim] A\n@param b {string} [default=00501]\n@param c {string} [default="a b, c" example=5]\n@param d {integer} [default=-3, min=-5 max=+5]\n@param e {boolean} [default=true flag="-v"]\n@param f {array<string>} [default=["a, b", "]"], min=1 max=9 unique reject=/^-/ flags flag="-x {value}"]\n@param g {string} [secret, env=TOKEN, hidden]';
  assert.equal(parametersOf(lines), [
    {
      name: "a",
      description: "A",
      schema: {
        type: "string",
        minimumLength: 1,
        maximumLength: 5,
        pattern: { source: "[a,\\]/]+", flags: "i" },
        reject: { source: "^x{1,2}$", flags: "" },
        transforms: ["lower", "trim"],
      },
      required: true,
    },
    { name: "b", description: "", schema: { type: "string" }, required: false, default: "00501" },
    { name: "c", description: "", schema: { type: "string" }, required: false, default: "a b, c", example: "5" },
    { name: "d", description: "", schema: { type: "integer", minimum: -5, maximum: 5 }, required: false, default: -3 },
    { name: "e", description: "", schema: { type: "boolean" }, required: false, default: true, flag: "-v" },
    {
      name: "f",
      description: "",
      schema: {
        type: "array",
        items: { type: "string", reject: { source: "^-", flags: "" } },
        minimumItems: 1,
        maximumItems: 9,
        unique: true,
      },
      required: false,
      default: ["a, b", "]"],
      flags: true,
      flag: "-x {value}",
    },
    {
      name: "g",
      description: "",
      schema: { type: "string" },
      required: false,
      secret: true,
      environment: "TOKEN",
      hidden: true,
    },
  ]);
});

test("analyzeToolFile unfolds named types in any order", () => {
  const lines =
    "@param e {array<Edit>} E\n@property Edit.at {Place} [optional] Where\n@type Place\n@property Edit.text {string} What\n@type Edit {object} One edit\n@property Place.line {integer} [min=1, default=1] Line";
  const place = {
    type: "object",
    typeName: "Place",
    properties: [
      { name: "line", description: "Line", schema: { type: "integer", minimum: 1 }, required: false, default: 1 },
    ],
    open: false,
  };
  const edit = {
    type: "object",
    typeName: "Edit",
    properties: [
      { name: "at", description: "Where", schema: place, required: false },
      { name: "text", description: "What", schema: { type: "string" }, required: true },
    ],
    open: false,
  };
  assert.equal(parametersOf(lines), [
    { name: "e", description: "E", schema: { type: "array", items: edit }, required: false },
  ]);
});

test("analyzeToolFile puts the folder's owner before the name", () => {
  const text = "@name summarize\n@wrapped x";
  const named = analyzeToolFile(parseToolFile({ path: "t.txt", text }), { owner: "official", scope: "user" }).value;
  assert.equal(
    [named?.name.value, named?.title, named?.origin],
    ["official/summarize", "Summarize", { kind: "file", source: { path: "t.txt", text }, scope: "user" }],
  );
});

test("analyzeToolFile takes a whole call for an example, unless `name` is a parameter", () => {
  const examples = (param: string): unknown =>
    analyzeToolFile(
      parseToolFile({
        path: "t.txt",
        text: `${frame}@command echo {arguments}\n${param}@param arguments {object} A\n@example {"name": "T", "arguments": {"arguments": {}}}`,
      }),
    ).value?.examples;
  assert.equal(examples(""), [{ arguments: {} }]);
  assert.equal(examples("@param name N\n"), [{ name: "T", arguments: { arguments: {} } }]);
});

test("analyzeToolFile loads the older system's files with warnings at most", () => {
  const seed = readFileSync(new URL("../cases/older-system/glob.tool", import.meta.url), "utf8");
  const { value, diagnostics } = analyzeToolFile(parseToolFile({ path: "glob.tool", text: seed }));
  assert.equal(diagnostics, []);
  assert.equal(
    [value?.kind, value?.name.value, value?.title, value?.examples],
    ["wrapped", "glob", "Glob Pattern Matching", [{ arguments: [".", "-type"] }]],
  );
});

test("analyzeToolFile reads doubled braces as text, also around a name that means something", () => {
  const asks = (prompt: string): readonly unknown[] => {
    const { value, diagnostics } = analyzeToolFile(
      parseToolFile({ path: "t.txt", text: `Words.\n\n@title T\n@name t\n@step one prompt\n    ${prompt}\n` }),
    );
    return [value?.parameters.map(({ name }) => name), diagnostics.map(({ message }) => message)];
  };
  assert.equal(asks("a {input} b"), [["input"], []]);
  assert.equal(asks("a {{input}} b"), [[], []]);
  assert.equal(asks("a {{input.id}} and `${{input.id}}` {input}"), [["input"], []]);
  assert.equal(asks("a {{{input}}} b"), [["input"], []]);
  assert.equal(asks("a {input.id} b")[1], ["`input` has no parts"]);
});

test("analyzeToolFile says that 10,000 arrays in each other are too deep", () => {
  assert.equal(parametersOf(`@param a {${"array<".repeat(10_000)}string${">".repeat(10_000)}} A`), [
    "too-deep: this is nested too deep",
  ]);
  assert.equal(parametersOf(`@param a {string} [default=${"[".repeat(10_000)}] A`), [
    "too-deep: this is nested too deep",
  ]);
});

test("analyzeToolFile says that 10,000 types in each other are too deep", () => {
  const lines = Array.from(
    { length: 2_000 },
    (_, index) => `@type T${index}\n@property T${index}.a {T${index + 1}} A`,
  ).join("\n");
  const said = parametersOf(`${lines}\n@type T2000`);
  assert.equal(
    said,
    Array.from({ length: 1 }, () => "too-deep: these types are nested deeper than 16 levels"),
  );
});

test("analyzeToolFile bounds what many parameters of one large type unfold to", () => {
  const type = Array.from({ length: 1_900 }, (_, index) => `@property T.p${index} {string} P`).join("\n");
  assert.equal(
    parametersOf(`@type T\n${type}\n${Array.from({ length: 6 }, (_, index) => `@param a${index} {T} A`).join("\n")}`),
    ["too-large: the parameters of this tool have more than 10000 properties in all"],
  );
});

test("analyzeToolFile reads JSON that nests deeper than any stack", () => {
  const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  const { diagnostics } = analyzeToolFile(
    parseToolFile({
      path: "t.txt",
      text: `@name t\n@wrapped x\n@example {"a": ${deep}}\n@test d\n    expect result ${deep}`,
    }),
  );
  assert.equal(
    diagnostics.map((diagnostic) => diagnostic.code),
    ["too-deep", "too-deep"],
  );
});

test("analyzeToolFile reads no more than a tool needs of a file that never ends", () => {
  const codes = (piece: string): unknown => {
    const text = `@name t\n@wrapped x\n${piece.repeat(Math.ceil(1_048_576 / piece.length))}`;
    const found = new Set(
      analyzeToolFile(parseToolFile({ path: "t.txt", text })).diagnostics.map((diagnostic) => diagnostic.code),
    );
    return [...found].sort();
  };
  assert.equal(codes("@param a {strnig} b\n"), ["duplicate-parameter", "missing-description", "too-many"]);
  assert.equal(codes("@type A\n@property A.b {A} c\n"), [
    "duplicate-parameter",
    "duplicate-type",
    "too-many",
    "type-cycle",
  ]);
  assert.equal(codes(`@tags ${"a ".repeat(10_000)}\n`), ["too-large"]);
  assert.equal(codes(`@note ${"a".repeat(200_000)}\n`), ["too-large"]);
  assert.equal(codes(`@param n {string} ${"a".repeat(100_000)}}\n`), ["missing-description", "too-large"]);
});

test("analyzeToolFile says of a file that it reads in part what is in that part, and repairs nothing", () => {
  const chain = Array.from(
    { length: 3_000 },
    (_, index) => `@type T${index} {object}\n@property T${index}.next {T${index + 1}} Next`,
  ).join("\n");
  const text = `A chain.\n\n@name chain\n@wrapped run_command\n@titel Chain\n@command echo {later}\n${chain}\n@param later {string} Later\n`;
  const { diagnostics } = analyzeToolFile(parseToolFile({ path: "chain.tool", text }));
  assert.equal(
    diagnostics.map(({ code, fix }) => [code, fix]),
    [
      ["unknown-annotation", undefined],
      ["too-deep", undefined],
      ["too-large", undefined],
    ],
  );
});

test("analyzeToolFile offers no name of more than it compares", () => {
  const types = Array.from({ length: 501 }, (_, index) => `@type T${index}x {object}`).join("\n");
  const { diagnostics } = analyzeToolFile(
    parseToolFile({
      path: "many.tool",
      text: `Many.\n\n@name many\n@title Many\n@wrapped run_command\n@command true\n${types}\n@property T500.a {string} A\n`,
    }),
  );
  assert.equal(
    diagnostics.map(({ code, fix }) => [code, fix]),
    [["unknown-type", undefined]],
  );
});

test("analyzeToolFile does not read a step that is longer than any", () => {
  const { diagnostics } = analyzeToolFile(
    parseToolFile({
      path: "long.tool",
      text: `Long.\n\n@name long\n@title Long\n@step a runs [when=${"(".repeat(8_192)}]\n    make\n`,
    }),
  );
  assert.equal(
    diagnostics.map(({ code, message }) => [code, message]),
    [["too-large", "this is longer than 8192 characters"]],
  );
});

test.run();
