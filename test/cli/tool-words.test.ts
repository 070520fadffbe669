import fc from "fast-check";
import { asksForHelp, type CallForm, readToolWords, readsInput } from "../../src/cli/words/tool-words.ts";
import {
  array,
  boolean,
  choice,
  integer,
  anyObject,
  path,
  string,
  toParameters,
} from "../../src/core/schema/declare.ts";
import type { Parameter } from "../../src/core/schema/parameter.ts";
import { withoutDryRun } from "../../src/cli/words/step-flags.ts";
import { assert, suite } from "../harness.ts";

const test = suite("tool-words");

const words = toParameters({ arguments: array(string("A word"), "Words", { required: true }) });
const read = toParameters({
  file_path: path("The file", { required: true }),
  start_line: integer("First line"),
  find_words: array(string("A word"), "Words to find"),
  show_lines: boolean("Numbers"),
});
const put = toParameters({
  target: string("Where", { required: true }),
  edits: array(anyObject("An edit"), "Edits"),
  mode: choice(["fast", "slow"], "How"),
  options: anyObject("More"),
});
const pair = toParameters({ from: string("From", { required: true }), to: string("To", { required: true }) });

function call(
  given: readonly string[],
  parameters = read,
  more: { readonly form?: CallForm; readonly input?: string } = {},
) {
  return readToolWords(given, { parameters, form: "call", ...more });
}

test("readToolWords takes every word as it is for the only array parameter in the short form", () => {
  const given = [".", "-name", "*.ts", "--", "--json", "a=b", "--help", "--arguments"];
  assert.equal(call(given, words, { form: "short" }), { arguments: { arguments: given }, issues: [] });
});

test("readToolWords reads the name of the only array parameter, unless it takes options of a program", () => {
  const short = { form: "short" } as const;
  const [list] = toParameters({ V: array(string("A word"), "Words") });
  if (!list) throw new Error("unreachable");
  for (const given of [["--V", "a"], ["--V=a"]])
    assert.equal(call(given, [list], short), { arguments: { V: ["a"] }, issues: [] });
  assert.equal(call(["--", "--V", "a"], [list], short).arguments, { V: ["--", "--V", "a"] });
  assert.equal(call(["--V", "a"], [{ ...list, flags: true }], short).arguments, { V: ["--V", "a"] });
  assert.equal(call([".", "-name", "*.ts"], [list], short).arguments, { V: [".", "-name", "*.ts"] });
});

test("readToolWords takes every word as it is for a list of options if nothing is required", () => {
  const [pattern, folder, list] = toParameters({
    pattern: string("What"),
    path: path("Where"),
    arguments: array(string("A word"), "Words"),
  });
  if (!pattern || !folder || !list) throw new Error("unreachable");
  const search: readonly Parameter[] = [pattern, folder, { ...list, flags: true }];
  const short = { form: "short" } as const;
  for (const given of [
    ["-rn", "path=/usr", "."],
    [".", "-h", "--", "--pattern"],
    ["--include=*.ts", "x"],
  ])
    assert.equal(call(given, search, short), { arguments: { arguments: given }, issues: [] });
  assert.equal(call(["--pattern", "x", "path=src"], search, short).arguments, { pattern: "x", path: "src" });
  assert.equal(call(["src", "lib"], search, short).arguments, { arguments: ["src", "lib"] });
  assert.is(asksForHelp(["x", "-h"], search, "short"), false);
  assert.is(asksForHelp(["--help"], search, "short"), true);
});

test("readToolWords takes as many words as a system passes", () => {
  const given = Array.from({ length: 200_000 }, (_, index) => String(index));
  assert.equal(call(given, words, { form: "short" }).arguments["arguments"], given);
});

test("readToolWords gives words behind -- to the only array parameter", () => {
  assert.equal(call(["--", ".", "-name", "--arguments"], words), {
    arguments: { arguments: [".", "-name", "--arguments"] },
    issues: [],
  });
});

test("readToolWords reads --name value, --name=value and name=value alike", () => {
  const expected = { arguments: { file_path: "a b", start_line: 7 }, issues: [] };
  assert.equal(call(["--file_path", "a b", "--start_line", "7"]), expected);
  assert.equal(call(["--file_path=a b", "--start_line=7"]), expected);
  assert.equal(call(["file_path=a b", "start_line=7"]), expected);
});

test("readToolWords puts a word behind the required ones into the only optional parameter that takes a value", () => {
  const city = toParameters({ city: string("Where") });
  assert.equal(call(["Oslo"], city), { arguments: { city: "Oslo" }, issues: [] });
  assert.equal(call(["Oslo", "x"], city), {
    arguments: { city: "Oslo" },
    issues: [{ path: "x", message: "all parameters have their values; a value of several words goes in quotes" }],
  });
  assert.equal(call(["-3"], toParameters({ count: integer("How many"), all: boolean("All") })), {
    arguments: { count: -3 },
    issues: [],
  });
  // Behind `--`, a word that begins with a dash is one as well.
  assert.equal(call(["--", "--west"], city), { arguments: { city: "--west" }, issues: [] });
  assert.is(call(["--", "Oslo", "--west"], city).issues[0]?.path, "--west");
  // With two of them, a word says nothing; and a secret is not written as a word unless it must be.
  const message = "say which parameter it is for: `--city`, `--zone`";
  assert.equal(call(["Oslo"], toParameters({ city: string("Where"), zone: string("Zone") })).issues, [
    { path: "Oslo", message },
  ]);
  assert.is(call(["x"], toParameters({ key: string("Key", { secret: true }) })).issues.length, 1);
});

test("readToolWords gives a word to the optional parameter that alone accepts it, and none to a flag", () => {
  const deploy = toParameters({
    sure: boolean("Sure", { required: true }),
    count: integer("How many"),
    where: choice(["dev", "prod"], "Where"),
    app: string("App", { required: true }),
  });
  for (const given of [
    ["web", "3", "dev"],
    ["web", "dev", "3"],
    ["web", "--count", "3", "dev"],
  ])
    assert.equal(call([...given, "--sure"], deploy), {
      arguments: { app: "web", count: 3, where: "dev", sure: true },
      issues: [],
    });
  assert.equal(call(["web", "dev"], deploy).arguments, { app: "web", where: "dev" });
  for (const odd of ["test", "true"]) assert.is(call(["web", odd, "3", "dev"], deploy).issues[0]?.path, odd);
});

test("readToolWords takes a JSON object of parameters for all the arguments", () => {
  for (const form of ["short", "call"] as const)
    assert.equal(call(['{"from": "a", "to": "b"}'], pair, { form }), { arguments: { from: "a", to: "b" }, issues: [] });
  for (const text of ['{"from": "a", "x": 1}', "{}", '{"from": ', '["from"]'])
    assert.equal(call([text], pair), { arguments: { from: text }, issues: [] });
  assert.equal(call(['{"from": "a"}', "b"], pair).arguments, { from: '{"from": "a"}', to: "b" });
});

test("withoutDryRun finds the option where no parameter has it", () => {
  const named = toParameters({ name: string("Who"), loud: boolean("Loud") });
  const left = (given: readonly string[], parameters = named): unknown => withoutDryRun(given, parameters, "short");
  assert.equal(left(["a", "--dry-run"]), ["a"]);
  assert.equal(left(["--loud", "--dry-run"]), ["--loud"]);
  assert.is(left(["--name", "--dry-run"]), undefined);
  assert.is(left(["--", "--dry-run"]), undefined);
  assert.is(left(["--dry-run"], toParameters({ dry_run: boolean("Only say it") })), undefined);
  assert.is(left(["--dry-run"], toParameters({ dryrun: boolean("Only say it") })), undefined);
  assert.is(left([".", "--dry-run"], words), undefined);
});

test("readToolWords asks for the value of a flag behind `=`", () => {
  const todo = toParameters({ folder: string("Where"), case: boolean("Case") });
  const listed: readonly Parameter[] = [
    { name: "b-c", description: "", schema: { type: "boolean" }, required: false },
    { name: "l", description: "", schema: { type: "array", items: { type: "string" } }, required: false },
  ];
  assert.equal(call(["--b-c", "false", "--l", "p"], listed), {
    arguments: { "b-c": false, l: ["p"] },
    issues: [
      {
        path: "b-c",
        message: "the value of a flag goes after `=`: `--b-c=false`; a word for `l` goes after `--`",
      },
    ],
  });
  assert.equal(call(["--b-c", "--", "false"], listed), { arguments: { "b-c": true, l: ["false"] }, issues: [] });
  assert.equal(call(["--folder", "src", "--case", "false"], todo), {
    arguments: { folder: "src", case: false },
    issues: [{ path: "case", message: "the value of a flag goes after `=`: `--case=false`" }],
  });
});

test("readToolWords takes dashes for underscores", () => {
  assert.equal(call(["--file-path", "a"]), { arguments: { file_path: "a" }, issues: [] });
});

test("readToolWords keeps text as it is", () => {
  assert.equal(call(["--file_path", "00501", "--find_words", "1e3", "--find_words", "true", "--find_words", "[1]"]), {
    arguments: { file_path: "00501", find_words: ["1e3", "true", "[1]"] },
    issues: [],
  });
});

test("readToolWords reads --flag, --no-flag and --flag=false as booleans", () => {
  assert.equal(call(["a", "--show_lines"]).arguments, { file_path: "a", show_lines: true });
  assert.equal(call(["a", "--no-show_lines"]).arguments, { file_path: "a", show_lines: false });
  assert.equal(call(["a", "--no-show-lines"]).arguments, { file_path: "a", show_lines: false });
  assert.equal(call(["a", "--show_lines=false"]).arguments, { file_path: "a", show_lines: false });
});

test("readToolWords does not take the word after a flag", () => {
  assert.equal(call(["--show_lines", "a"]), { arguments: { show_lines: true, file_path: "a" }, issues: [] });
});

test("readToolWords gives the first bare word to the one missing required parameter, and the others to the array", () => {
  assert.equal(call(["a.txt", "one", "two"]), {
    arguments: { file_path: "a.txt", find_words: ["one", "two"] },
    issues: [],
  });
  assert.equal(call(["one", "--file_path=a.txt", "--", "-two"]), {
    arguments: { file_path: "a.txt", find_words: ["one", "-two"] },
    issues: [],
  });
});

test("readToolWords gives words to required parameters in their order", () => {
  assert.equal(call(["a", "b"], pair), { arguments: { from: "a", to: "b" }, issues: [] });
  assert.equal(call(["a"], pair), { arguments: { from: "a" }, issues: [] });
  assert.equal(call(["--to", "b", "a"], pair), { arguments: { from: "a", to: "b" }, issues: [] });
  assert.equal(call(["--from=a", "b"], pair), { arguments: { from: "a", to: "b" }, issues: [] });
});

test("readToolWords gives the last words to required parameters behind a required array", () => {
  const copy = toParameters({
    mode: choice(["fast", "slow"], "How", { required: true }),
    files: array(path("A file"), "What", { required: true }),
    folder: path("Where", { required: true }),
  });
  const given = (words: readonly string[]) => call(words, copy).arguments;
  assert.equal(given(["fast", "a", "b", "to"]), { mode: "fast", files: ["a", "b"], folder: "to" });
  assert.equal(given(["fast", "a"]), { mode: "fast", files: ["a"] });
  assert.equal(given(["fast", "to", "--", "-a"]), { mode: "fast", files: ["-a"], folder: "to" });
  assert.equal(given(["--folder=to", "fast", "a", "b"]), { mode: "fast", files: ["a", "b"], folder: "to" });
});

test("readToolWords says which parameters are open for words without a place", () => {
  const message = "say which parameter it is for: `--count`, `--size`";
  const counted = [...pair, ...toParameters({ count: integer("How many"), size: integer("How large") })];
  assert.equal(call(["a", "b", "3"], counted), {
    arguments: { from: "a", to: "b", count: 3 },
    issues: [{ path: "3", message }],
  });
});

test("readToolWords reads items that are objects as JSON, one by one or as an array", () => {
  const expected = { arguments: { target: "t", edits: [{ a: 1 }, { b: 2 }] }, issues: [] };
  assert.equal(call(["t", "--edits", '{"a": 1}', "--edits", '{"b": 2}'], put), expected);
  assert.equal(call(["t", "--edits", '[{"a": 1}, {"b": 2}]'], put), expected);
});

test("readToolWords reads objects as JSON and leaves what is none to the gate", () => {
  assert.equal(call(["t", "--options", '{"a": [1]}'], put).arguments, { target: "t", options: { a: [1] } });
  assert.equal(call(["t", "--options", "{a"], put), { arguments: { target: "t", options: "{a" }, issues: [] });
});

test("readToolWords leaves text that does not convert to the gate", () => {
  assert.equal(call(["a", "--start_line", "x"]), { arguments: { file_path: "a", start_line: "x" }, issues: [] });
});

test("readToolWords leaves unknown options to the gate, with their values", () => {
  assert.equal(call(["a", "--fil", "b", "--x=1", "--y"]), {
    arguments: { file_path: "a", fil: "b", x: "1", y: true },
    issues: [],
  });
});

function issuesOf(given: readonly string[], parameters = pair, form: CallForm = "short") {
  return readToolWords(given, { parameters, form, tool: "copy" }).issues;
}

test("readToolWords says of an option of dottool that it stands before the tool's name", () => {
  const before = (option: string, shown: string, called = "copy"): unknown => ({
    path: option,
    message: `is an option of dottool and goes before the tool's name: \`dottool ${shown} ${called}\``,
  });
  assert.equal(issuesOf(["--trace", "t.json", "--from", "a", "--to", "b"]), [before("--trace", "--trace t.json")]);
  assert.equal(issuesOf(["--tools=x", "--cwd", "/x", "--result", "json", "--no-color", "--help=x"], pair, "call"), [
    before("--tools", "--tools x", "call copy"),
    before("--cwd", "--cwd /x", "call copy"),
    before("--result", "--result json", "call copy"),
    before("--no-color", "--no-color", "call copy"),
    before("--help", "--help", "call copy"),
  ]);
  assert.equal(issuesOf(["--trace", "a b", "--cwd", "--result"]), [
    before("--trace", "--trace FILE"),
    before("--cwd", "--cwd DIR"),
    before("--result", "--result FORM"),
  ]);
  assert.equal(
    issuesOf(["--version", "--licenses"]),
    ["--version", "--licenses"].map((path) => ({
      path,
      message: `is an option of dottool and does not take a tool: \`dottool ${path}\``,
    })),
  );
});

test("readToolWords does not show what stands behind an option where it may be a secret", () => {
  const secret = toParameters({ token: string("The token", { required: true, secret: true }) });
  assert.equal(issuesOf(["--trace", "hunter2"], secret), [
    {
      path: "--trace",
      message: "is an option of dottool and goes before the tool's name: `dottool --trace FILE copy`",
    },
  ]);
});

test("readToolWords leaves an option of dottool to a tool that has one of that name, or nearly", () => {
  const own = toParameters({
    trace: string("Trace"),
    tool: string("Tool"),
    color: boolean("Color"),
    working_dir: path("Where"),
  });
  assert.equal(
    readToolWords(["--trace", "t", "--tools", "x", "--no-color", "--cwd", "/x"], { parameters: own, form: "short" }),
    { arguments: { trace: "t", tools: "x", color: false, cwd: "/x" }, issues: [] },
  );
  assert.equal(issuesOf(["--", "--trace", "t"], read), []);
});

test("readToolWords reads --json from the word and from the input", () => {
  const expected = { arguments: { file_path: "a", start_line: 2 }, issues: [] };
  assert.equal(call(["--json", '{"file_path": "a", "start_line": 2}']), expected);
  assert.equal(call(["--json=-"], read, { input: '{"file_path": "a", "start_line": 2}' }), expected);
  assert.equal(call(["--start_line", "2", "--json", '{"file_path": "a"}']), {
    arguments: { start_line: 2, file_path: "a" },
    issues: [],
  });
});

test("--json is the parameter of that name in the short form, and all the arguments after `call`", () => {
  const named = toParameters({
    json: string("Text", { required: true }),
    help: string("Help"),
    tools: string("Tools"),
    version: boolean("Version"),
  });
  assert.equal(call(["--json", "a"], named, { form: "short" }).arguments, { json: "a" });
  assert.equal(call(["--json", '{"json": "a"}', "help=b"], named), { arguments: { json: "a", help: "b" }, issues: [] });
  assert.equal(call(["json=a", "--help=b", "--tools", "c", "--version"], named), {
    arguments: { json: "a", help: "b", tools: "c", version: true },
    issues: [],
  });
  assert.is(
    call(["--json", "a"], named).issues[0]?.message.endsWith("; the parameter `json` is written `json=…`"),
    true,
  );
  assert.equal(
    [
      readsInput(["--json", "-"], named, "call"),
      readsInput(["--json", "-"], named, "short"),
      asksForHelp(["json=a", "--help=b"], named, "call"),
      asksForHelp(["--help"], named, "short"),
    ],
    [true, false, false, true],
  );
});

test("readToolWords reports --json that is no object", () => {
  assert.equal(call(["--json", "[1]"]).issues, [
    { path: "--json", message: 'expected an object with the arguments, such as {"name": "value"}' },
  ]);
  assert.is(call(["--json", "{"]).issues[0]?.path, "--json");
  assert.equal(call(["--json"]).issues, [
    {
      path: "--json",
      message:
        "needs the arguments as a JSON object, or `-` for standard input; for a JSON result, use `dottool --result json call NAME`",
    },
  ]);
});

test("readToolWords reports a parameter that is given twice", () => {
  assert.equal(call(["--file_path", "a", "--file_path", "b", "--json", '{"file_path": "c"}']).issues, [
    { path: "file_path", message: "is given more than once" },
    { path: "file_path", message: "is given more than once" },
  ]);
});

test("readToolWords reports an option without its value", () => {
  const expected = [
    {
      path: "start_line",
      message: "`--start_line` needs a value; write one that starts with dashes as `--start_line=--value`",
    },
  ];
  assert.equal(call(["a", "--start_line"]).issues, expected);
  assert.equal(call(["a", "--start_line", "--show_lines"]).issues, expected);
  assert.equal(call(["a", "--start_line", "--", "b"]).issues, expected);
});

test("readToolWords takes negative numbers as values and as words", () => {
  assert.equal(call(["a", "--start_line", "-3", "-4"]), {
    arguments: { file_path: "a", start_line: -3, find_words: ["-4"] },
    issues: [],
  });
});

test("readToolWords refuses short options and says where such words stand, and keeps them for the call that would work", () => {
  assert.equal(call([".", "-name"], words), {
    arguments: { arguments: [".", "-name"] },
    issues: [{ path: "-name", message: "words of `arguments` that start with `-` go after `--`" }],
  });
  assert.equal(call(["-x"], pair).issues, [{ path: "-x", message: "there are no short options" }]);
});

test("readToolWords keeps a parameter called __proto__ an own property", () => {
  const parameters = toParameters({ ["__proto__x"]: string("x") }).map((parameter) => ({
    ...parameter,
    name: "__proto__",
  }));
  assert.equal(Object.keys(readToolWords(["--__proto__", "a"], { parameters, form: "call" }).arguments), ["__proto__"]);
});

test("readToolWords gives any words behind -- to the array unchanged", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (given) => {
      assert.equal(call(["--", ...given], words), {
        arguments: given.length === 0 ? {} : { arguments: given },
        issues: [],
      });
    }),
  );
});

test("readToolWords gives a tied value to its parameter unchanged", () => {
  fc.assert(
    fc.property(fc.string(), (value) => assert.equal(call([`--file_path=${value}`]).arguments, { file_path: value })),
  );
});

test("asksForHelp takes only a first --help of a tool with one array parameter", () => {
  assert.is(asksForHelp(["--help"], words, "short"), true);
  assert.is(asksForHelp([".", "--help"], words, "short"), false);
  assert.is(asksForHelp(["--", "--help"], words, "call"), false);
  assert.is(asksForHelp(["--file_path", "a", "--help"], read, "short"), true);
  assert.is(asksForHelp(["a", "-h"], read, "short"), true);
});

test("readsInput knows --json - and --json=-", () => {
  assert.is(readsInput(["--json", "-"], read, "call"), true);
  assert.is(readsInput(["--json=-"], read, "short"), true);
  assert.is(readsInput(["--json", "{}"], read, "call"), false);
  assert.is(readsInput(["--json", "-"], words, "short"), false);
});

test.run();
