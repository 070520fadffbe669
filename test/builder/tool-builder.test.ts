import { createToolBuilder } from "../../src/core/builder/tool-builder.ts";
import { commandFor } from "../../src/core/builder/wrapped.ts";
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { array, integer, string, url } from "../../src/core/schema/declare.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import type { Checked } from "../../src/core/text/diagnostic.ts";
import { baseTool, okText } from "../../src/core/tool/base-tool.ts";
import type { Outcome } from "../../src/core/tool/call.ts";
import type { ToolDefinition } from "../../src/core/tool/definition.ts";
import type { BaseTool, Tool, ToolContext } from "../../src/core/tool/tool.ts";
import { runCommand } from "../../src/core/base/run-command.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";

const test = suite("tool-builder");

const fetchPage = baseTool({
  name: "fetch",
  title: "Fetch",
  description: "Gives back what it got.",
  effects: ["network"],
  parameters: {
    url: url("Where", { required: true }),
    lines: integer("How many", { default: 3, maximum: 100 }),
    words: array(string("A word"), "Words"),
  },
  execute: async (args) => ({ status: "ok", content: [{ type: "json", value: args as JsonObject }] }),
});

let failures = 0;
const flaky = baseTool({
  name: "flaky",
  title: "Flaky",
  description: "Fails as often as it is told.",
  effects: [],
  parameters: { failures: integer("How often", { required: true }) },
  execute: async (args, context): Promise<Outcome> => {
    context.emit({ kind: "output", stream: "stdout", bytes: new TextEncoder().encode("try ") });
    return ++failures <= args.failures
      ? { status: "failed", content: [], failure: { kind: "exit", program: "flaky", exitCode: 3 } }
      : okText(`worked at ${failures}`);
  },
});

const bases: Readonly<Record<string, BaseTool>> = {
  fetch: fetchPage,
  flaky,
  run_command: runCommand,
  runner: runCommand,
};

/** Builds the last of the definitions; the others are there to be wrapped. */
function build(...texts: readonly string[]): Checked<Tool> {
  const definitions = texts.map((text, index): ToolDefinition => {
    const analyzed = analyzeToolFile(parseToolFile({ path: `tool${index}.tool`, text }));
    if (!analyzed.value) throw new Error(analyzed.diagnostics.map((diagnostic) => diagnostic.message).join("\n"));
    return analyzed.value;
  });
  const builder = createToolBuilder({
    platform: "linux",
    definition: (name) => definitions.find((definition) => definition.name.value === name),
    baseTool: (name) => bases[name],
    names: () => [...Object.keys(bases), ...definitions.map((definition) => definition.name.value)],
  });
  const last = definitions.at(-1);
  if (!last) throw new Error("no definition");
  return builder.build(last);
}

function built(...texts: readonly string[]): Tool {
  const { value, diagnostics } = build(...texts);
  if (!value) throw new Error(diagnostics.map((diagnostic) => diagnostic.message).join("\n"));
  return value;
}

function problems(...texts: readonly string[]): readonly string[] {
  return build(...texts).diagnostics.map((diagnostic) => `${diagnostic.code}: ${diagnostic.message}`);
}

const head = "Does it.\n\n@title Title\n@name tool\n";
/** A delay passes at once, a deadline never. */
const sleep = async (delayMs: number, signal: AbortSignal): Promise<void> =>
  delayMs <= 1000 ? undefined : new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
const context = {
  host: { ...memoryHost(), sleep },
  signal: new AbortController().signal,
  limits: { timeoutMs: 60_000 },
  emit: () => undefined,
} as unknown as ToolContext;

test("a declared parameter that reaches nothing, or that the base tool could not take, is an error", () => {
  const wrapped = `${head}@wrapped fetch\n@param url {url} [required] Where\n`;
  assert.equal(problems(`${wrapped}@param nonsense {string} Nothing`), [
    "unknown-base-parameter: `fetch` has no parameter `nonsense`, and no `@with` uses it",
  ]);
  assert.equal(problems(`${wrapped}@param lines {string} How many`), [
    "parameter-mismatch: `lines` is declared as string, but `fetch` expects integer",
  ]);
  assert.equal(problems(`${wrapped}@param words {array<integer>} Words`), [
    "parameter-mismatch: `words` is declared as array<integer>, but `fetch` expects array<string>",
  ]);
  assert.equal(problems(`${head}@wrapped fetch\n@with url = https://a.example/\n@param url {url} Where`), [
    "unused-parameter: the parameter `url` is not used, because `@with url` sets it",
  ]);
  assert.equal(
    problems(
      `${head}@wrapped fetch\n@with url = https://a.example/{lines}\n@with words = ["{more}"]\n@param lines {string} Any\n@param more {array<string>} Any`,
    ),
    [],
  );
});

test("a wrap that only sets values has the description of its base, and no warnings", () => {
  const text = "@name tool1\n@wrapped fetch\n@with url = https://a.example/\n";
  assert.equal(
    [analyzeToolFile(parseToolFile({ path: "tool1.tool", text })).diagnostics, built(text).definition.description],
    [[], "Gives back what it got."],
  );
});

test("a default for a parameter that a wrap does not declare reaches the base tool", () => {
  assert.equal(
    built(`${head}@wrapped fetch\n@default lines = 7\n@param url {url} [required] Where`).expand?.({
      url: "https://a.example/",
    }).arguments,
    { url: "https://a.example/", lines: 7 },
  );
});

test("wrong names in `@with`, `@default` and `@param` are told together", () => {
  assert.equal(
    problems(`${head}@wrapped fetch\n@with urll = x\n@default line = 7\n@param url {url} Where`).map(
      (one) => one.split(":")[0],
    ),
    ["unknown-base-parameter", "unknown-base-parameter"],
  );
});

test("an alias is the same tool under another name", () => {
  const tool = built("@name Other\n@wrapped fetch\n");
  assert.equal(
    [tool.definition.name.value, tool.definition.title, tool.definition.description, tool.parameters, tool.effects],
    ["Other", "Other", "Gives back what it got.", fetchPage.parameters, ["network"]],
  );
});

test("an alias may change defaults, and they must fit", () => {
  const tool = built("@name other\n@wrapped fetch\n@default lines = 7\n");
  assert.is(tool.parameters.find((parameter) => parameter.name === "lines")?.default, 7);
  assert.equal(problems("@name other\n@wrapped fetch\n@default lines = 700\n"), [
    "default-mismatch: this default does not fit the parameter: expected at most 100, got 700",
  ]);
});

test("@with fixes a parameter and hides it", async () => {
  const tool = built(`${head}@wrapped fetch\n@with url = https://example.com/\n`);
  assert.equal(
    tool.parameters.map((parameter) => parameter.name),
    ["lines", "words"],
  );
  assert.equal((await tool.execute({ lines: 2 }, context)).content, [
    { type: "json", value: { url: "https://example.com/", lines: 2 } },
  ]);
});

test("@with encodes a value inside an address, and refuses one that would climb", () => {
  const tool = built(
    `${head}@wrapped fetch\n@with url = https://example.com/{page}?a={page}\n@param page {string} [required] Page\n`,
  );
  assert.equal(tool.expand?.({ page: "a/../b?c#d@e" }), {
    tool: "fetch",
    arguments: { url: "https://example.com/a%2F..%2Fb%3Fc%23d%40e?a=a%2F..%2Fb%3Fc%23d%40e" },
  });
  assert.equal(tool.check?.({ page: ".." }), [
    { path: "page", message: 'expected a name, got "..", which would lead elsewhere in the address' },
  ]);
});

test("@with keeps the type of a lone placeholder, and an array of one becomes items", () => {
  const tool = built(
    `${head}@wrapped fetch\n@with url = https://example.com/\n@with lines = {count}\n@with words = ["first", "{more}", "n{count}"]\n@param count {integer} Count\n@param more {array<string>} More\n`,
  );
  assert.equal(tool.expand?.({ count: 5, more: ["a", "b"] })?.arguments, {
    url: "https://example.com/",
    lines: 5,
    words: ["first", "a", "b", "n5"],
  });
  assert.equal(tool.expand?.({})?.arguments, { url: "https://example.com/", words: ["first", "n"] });
});

test("@with is checked against the base tool before anything runs", () => {
  const tool = built(`${head}@wrapped fetch\n@with url = {page}\n@param page {string} [required] Page\n`);
  assert.equal(tool.check?.({ page: "ftp://x" }), [
    { path: "url", message: 'expected an http or https address, got the string "ftp://x"' },
  ]);
});

test("@with cannot make a value program text", () => {
  assert.equal(
    problems(`${head}@wrapped run_command\n@with command = echo {text}\n@param text Text\n`).filter((problem) =>
      problem.startsWith("unsafe"),
    ),
    ["unsafe-placeholder: `command` is program text, so it cannot contain a value"],
  );
});

test("the builder names unknown tools and parameters with their nearest", () => {
  assert.equal(problems(`${head}@wrapped fecth\n@with url = https://example.com/\n`), [
    "unknown-base-tool: there is no tool `fecth` to wrap",
  ]);
  assert.equal(
    build(`${head}@wrapped fecth\n@with url = https://example.com/\n`).diagnostics[0]?.fix?.edits.map(
      (edit) => edit.text,
    ),
    ["fetch"],
  );
  assert.equal(problems(`${head}@wrapped fetch\n@with ulr = https://example.com/\n`), [
    "unknown-base-parameter: `fetch` has no parameter `ulr`",
  ]);
});

test("the builder says what a wrap lacks", () => {
  assert.equal(problems(`${head}@wrapped fetch\n@command echo\n`), [
    "not-wrappable: `fetch` runs no commands, so it cannot have `@command` or `@script`",
  ]);
  assert.equal(
    problems(`${head}@wrapped runner\n@param text Text\n`).map((problem) => problem.split(":")[0]),
    ["missing-command"],
  );
  assert.equal(problems(`${head}@wrapped fetch\n@with lines = {n}\n@param n {integer} N\n`), [
    "missing-base-parameter: the parameter `url` of `fetch` is not set",
  ]);
});

test("wraps of wraps work, and circles are found", async () => {
  const one = "One.\n\n@title One\n@name one\n@wrapped fetch\n@with lines = 1\n";
  const two = "Two.\n\n@title Two\n@name two\n@wrapped one\n@with url = https://example.com/\n";
  assert.equal((await built(one, two).execute({}, context)).content, [
    { type: "json", value: { url: "https://example.com/", lines: 1 } },
  ]);
  assert.equal(problems("@name a\n@wrapped b\n", "@name b\n@wrapped a\n"), [
    "wrap-cycle: these tools wrap each other in a circle: `b` > `a` > `b`",
  ]);
  assert.equal(problems("@name a\n@wrapped a\n"), ["wrap-cycle: these tools wrap each other in a circle: `a` > `a`"]);
});

test("a definition may sit on the base tool whose name it takes", () => {
  assert.equal(
    built(`${head.replace("tool", "fetch")}@wrapped fetch\n@with lines = 1\n`).parameters.map(
      (parameter) => parameter.name,
    ),
    ["url", "words"],
  );
});

test("effects are inferred, and tags only raise them", () => {
  const effects = (text: string): readonly string[] => built(`${head}@wrapped run_command\n${text}`).effects;
  assert.equal(effects("@command ls\n@tags read\n"), ["read"]);
  assert.equal(effects("@shell sh\n@command ls | wc\n@tags read\n"), ["read"]);
  assert.equal(effects("@shell sh\n@command ls | wc\n"), ["run"]);
  assert.equal(effects("@shell sh\n@command mine {x} | wc\n@param x {path} X\n@tags read\n"), ["read", "run"]);
  assert.equal(effects("@command ls {words}\n@param words {array<string>} [flags] Words\n"), ["run"]);
  assert.equal(effects("@command ls {words}\n@param words {array<string>} [flags, reject=/^-R/] Words\n@tags read\n"), [
    "read",
  ]);
});

test("memory, processor time and processes are limited where a process runs, and nowhere else", () => {
  assert.equal(problems(`${head}@wrapped fetch\n@with lines = 1\n@limit memory=1MiB cpu=1s processes=9 output=1MiB`), [
    "misplaced-annotation: `@limit memory=` has no effect here: `fetch` does not start a process",
    "misplaced-annotation: `@limit cpu=` has no effect here: `fetch` does not start a process",
    "misplaced-annotation: `@limit processes=` has no effect here: `fetch` does not start a process",
  ]);
  assert.equal(problems(`${head}@wrapped fetch\n@limit cpu=1s`), [
    "misplaced-annotation: `@limit cpu=` has no effect here: `fetch` does not start a process",
  ]);
  const inner = "In.\n\n@title In\n@name inner\n@wrapped run_command\n@command ls\n";
  assert.equal(built(inner, `${head}@wrapped inner\n@limit memory=1MiB`).definition.limits.memoryBytesMax, 1024 * 1024);
});

test("the most specific platform wins", () => {
  const command = (text: string) => ({ kind: "direct", words: [{ parts: [text] }] }) as const;
  const commands = [
    { command: command("any") },
    { platform: "unix", command: command("unix") },
    { platform: "macos", command: command("mac") },
  ] as const;
  assert.equal(
    (["linux", "macos", "windows"] as const).map((platform) => commandFor(commands, platform)),
    [command("unix"), command("mac"), command("any")],
  );
  assert.equal(built(`${head}@wrapped run_command\n@command(windows) dir\n`).definition.platforms, ["windows"]);
});

test("a failed tool is tried again, and what failed attempts printed is held back", async () => {
  failures = 0;
  const printed: string[] = [];
  const tool = built(`${head}@wrapped flaky\n@with failures = 2\n@retry 3 delay=1s\n`);
  const outcome = await tool.execute(
    {},
    { ...context, emit: (event) => void (event.kind === "output" && printed.push(event.stream)) },
  );
  assert.equal([outcome.content, printed], [[{ type: "text", text: "worked at 3" }], ["stdout"]]);
});

test("attempts end, and errors may be let pass", async () => {
  failures = 0;
  const outcome = await built(`${head}@wrapped flaky\n@with failures = 9\n@retry 2 delay=1s\n`).execute({}, context);
  assert.equal([outcome.status, failures], ["failed", 2]);
  assert.is(
    (await built(`${head}@wrapped flaky\n@with failures = 99\n@ignore-errors\n`).execute({}, context)).status,
    "ok",
  );
});

test("a value that begins a word of a tool that takes options may not be one", () => {
  const words =
    "Words.\n\n@title Words\n@name words\n@wrapped run_command\n@command tar {args}\n@param args {array<string>} [required, flags] Words for tar\n";
  const wrap = (text: string): Tool =>
    built(
      words,
      `${head}@wrapped words\n@with args = ${text}\n@param name {string} [required] Name\n@param more {array<string>} More\n`,
    );
  const issue = (path: string) => ({ path, message: "may not start with `-`: `words` would read it as an option" });
  assert.equal(wrap('["-tf", "{name}", "{more}"]').check?.({ name: "--to-command=x", more: ["a", "-I"] }), [
    issue("name"),
    issue("more"),
  ]);
  assert.equal(wrap('["-tf", "x", "--", "{name}", "{more}"]').check?.({ name: "-a" }), []);
});

test("no value becomes the environment or the input of a line for the shell", () => {
  const codes = (text: string): readonly string[] =>
    build(`${head}@wrapped runner\n@with command = sh\n${text}@param p {string} Text\n`).diagnostics.map(
      (diagnostic) => diagnostic.code,
    );
  assert.equal(
    [codes("@with stdin = {p}\n"), codes('@with env = {"PATH": "{p}"}\n')],
    [["unsafe-placeholder"], ["unsafe-placeholder"]],
  );
});

test.run();
