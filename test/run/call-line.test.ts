// The output of `callLine`, read by a real `sh` and by the reader of words: the result is the same arguments.
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { unicodeText } from "../arbitrary-text.ts";
import { readToolWords } from "../../src/cli/words/tool-words.ts";
import { callLine } from "../../src/core/run/call-line.ts";
import {
  anyObject,
  array,
  boolean,
  choice,
  integer,
  number,
  string,
  toParameters,
} from "../../src/core/schema/declare.ts";
import type { Json, JsonObject } from "../../src/core/schema/json.ts";
import type { Parameter } from "../../src/core/schema/parameter.ts";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("call-line");

const many: readonly Parameter[] = [
  ...toParameters({
    text: string("Text"),
    no_loud: boolean("Not loud"),
    loud: boolean("Loud"),
    help: string("Help"),
    count: integer("Count"),
    size: number("Size"),
    items: array(string("Item"), "Items"),
    numbers: array(integer("Number"), "Numbers"),
    edits: array(anyObject("Edit"), "Edits"),
    options: anyObject("Options"),
  }),
  { name: "any", description: "Any", schema: { type: "string", format: "any" }, required: false },
];
const one = toParameters({ words: array(string("Word"), "Words") });

/** Returns the words that `dottool` gets from each line. */
function wordsFromShell(lines: readonly string[]): readonly (readonly string[])[] {
  // No argument can contain NUL, so an empty group is the end of a line.
  const script = `dottool() { printf '%s\\0' $# "$@"; }\n${lines.join("\n")}\n`;
  const { stdout, stderr } = spawnSync("sh", ["-s"], { input: script, encoding: "utf8" });
  assert.is(stderr, "", script);
  const parts = stdout.split("\0");
  const calls: string[][] = [];
  for (let at = 0; at < parts.length - 1; ) {
    const count = Number(parts[at]);
    calls.push(parts.slice(at + 1, at + 1 + count));
    at += count + 1;
  }
  return calls;
}

function argumentsFrom(words: readonly string[], parameters: readonly Parameter[]): JsonObject {
  const [first, ...rest] = words;
  const read =
    first === "call"
      ? readToolWords(rest.slice(1), { parameters, form: "call" })
      : readToolWords(rest, { parameters, form: "short" });
  assert.equal(read.issues, [], words.join(" "));
  return read.arguments;
}

const text = fc.oneof(
  fc.constantFrom(
    "",
    "-",
    "--",
    "--help",
    "--text",
    "-n",
    "--json",
    "a=b",
    "text=1",
    "'",
    "\\",
    "\\n",
    "a\nb",
    "\n",
    "\r",
    "\t",
    "\x1b[2J",
    "\0",
    "$HOME",
    "`x`",
    "!x",
    "\u202e",
    "é日本",
    "👩‍👧",
    "\ud800",
    "[1]",
    "{}",
    "5",
    "true",
  ),
  unicodeText(6),
  fc.string({ maxLength: 6 }),
);
const object = fc.dictionary(text, fc.oneof(text, fc.integer()), { maxKeys: 2, noNullPrototype: true });
const args = fc.record(
  {
    text,
    no_loud: fc.boolean(),
    loud: fc.boolean(),
    help: text,
    count: fc.oneof(fc.integer(), fc.constant(1e21)),
    size: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
    items: fc.array(text, { maxLength: 3 }),
    numbers: fc.array(fc.integer(), { maxLength: 3 }),
    edits: fc.array(object, { maxLength: 2 }),
    options: object,
    any: fc.oneof(text, object, fc.constantFrom<Json>(null, 5, "5", true, "null", [1, "a"])),
  },
  { requiredKeys: [], noNullPrototype: true },
);

function assertSame(cases: readonly JsonObject[], parameters: readonly Parameter[]): void {
  const lines = cases.map((given) => callLine("try_it", given, { parameters }));
  for (const line of lines) assert.is(/[\0-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e]/.test(line), false, line);
  // Keys of objects come in the order of the call, which does not matter.
  const sorted = (given: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1)));
  for (const [index, words] of wordsFromShell(lines).entries())
    assert.equal(sorted(argumentsFrom(words, parameters)), sorted(cases[index] ?? {}), lines[index]);
}

test("callLine, pasted into sh, gives the same arguments", () => {
  fc.assert(
    fc.property(fc.array(args, { minLength: 1, maxLength: 20 }), (cases) => assertSame(cases as JsonObject[], many)),
    { numRuns: 20 },
  );
});

test("callLine, pasted into sh, gives the same arguments to a tool that takes words without names", () => {
  const parameters = toParameters({
    loud: boolean("Loud"),
    where: string("Where", { required: true }),
    count: integer("Count", { required: true }),
    mode: choice(["fast", "slow"], "How"),
    level: integer("Level"),
  });
  const given = fc.record(
    {
      where: text,
      count: fc.integer(),
      mode: fc.constantFrom("fast", "slow"),
      level: fc.integer(),
      loud: fc.boolean(),
    },
    { requiredKeys: [], noNullPrototype: true },
  );
  fc.assert(
    fc.property(fc.array(given, { minLength: 1, maxLength: 20 }), (cases) =>
      assertSame(cases as JsonObject[], parameters),
    ),
    { numRuns: 40 },
  );
  const line = (given: JsonObject) => callLine("t", given, { parameters });
  assert.is(line({ level: 3, mode: "fast", loud: true, where: "src", count: 2 }), "dottool t src 2 fast 3 --loud");
  assert.is(line({ where: "a=b", count: -2, mode: "slow" }), "dottool t slow --where a=b --count=-2");
  assert.is(line({ count: 2 }), "dottool t --count 2", "a word would be for `where`");
});

test("callLine, pasted into sh, gives the same words to a tool that takes every word", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ words: fc.array(text, { maxLength: 4 }) }), { minLength: 1, maxLength: 20 }),
      (cases) => assertSame(cases, one),
    ),
    { numRuns: 20 },
  );
});

test("callLine writes what cannot be shown as JSON, and everything else as options", () => {
  assert.is(
    callLine("write_file", { content: "# Today\n" }),
    `dottool call write_file --json '{"content":"# Today\\n"}'`,
  );
  assert.is(
    callLine("glob", { words: [".", "a\tb"] }, { parameters: one }),
    `dottool call glob --json '{"words":[".","a\\tb"]}'`,
  );
  assert.is(
    callLine("greet", { name: "it's", loud: true, quiet: false, lines: ["-a", "b c"] }),
    `dottool greet --name 'it'\\''s' --loud --quiet=false --lines=-a --lines 'b c'`,
  );
});

test("the example that `write_file --help` shows, pasted into sh, writes a line end", async () => {
  using bench = testProject();
  const { stdout } = await bench.run(["write_file", "--help"]);
  const line = /^ {2}(dottool .*)$/m.exec(stdout.slice(stdout.indexOf("Examples")))?.[1] ?? "";
  const [words = []] = wordsFromShell([line]);
  const { stdout: result } = await bench.run(["--result", "json", ...words]);
  assert.equal(JSON.parse(result).call.arguments.content, "# Today\n");
});

test.run();
