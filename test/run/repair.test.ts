// Properties of a repaired call, whatever was sent.
import fc from "fast-check";
import { repairedCall } from "../../src/features/repair/repair.ts";
import {
  anyObject,
  array,
  boolean,
  choice,
  integer,
  number,
  path,
  string,
  url,
} from "../../src/core/schema/declare.ts";
import type { Json } from "../../src/core/schema/json.ts";
import { validateArguments } from "../../src/core/schema/validate.ts";
import { baseTool, okText } from "../../src/core/tool/base-tool.ts";
import type { Tool } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";
import { filledIn } from "../sample.ts";
import { wordList } from "../lines.ts";

const test = suite("repair");

const tool = baseTool({
  name: "any",
  title: "Any",
  description: "Takes all kinds.",
  effects: ["read"],
  parameters: {
    name: string("Needed", { required: true, pattern: /[a-z][a-z0-9-]*/ }),
    files: array(path("One"), "Needed too", { required: true, minimumItems: 1, maximumItems: 4 }),
    count: integer("Some", { minimum: 1, maximum: 100 }),
    ratio: number("A part", { minimum: 0, maximum: 1 }),
    mode: choice(["fast", "slow", "in_between"], "How"),
    modes: array(choice(["fast", "slow"], "One"), "Ways", { maximumItems: 3 }),
    link: url("Where"),
    level: integer("Which", { choices: [1, 2, 3] }),
    quiet: boolean("Whether"),
    label: string("Short", { minimumLength: 3, maximumLength: 8, reject: /^-/ }),
    more: anyObject("More"),
  },
  execute: async () => okText(""),
});
/** What a message has of the suggestion. */
function shown(of: Tool, args: unknown): unknown {
  const repair = repairedCall(of, args);
  if (!repair || "withheld" in repair) return repair;
  const { kept: _kept, lost, changed, ...call } = repair;
  return { ...call, ...(lost.length + changed.length === 0 ? {} : { losses: { leftOut: lost, changed } }) };
}

const names = wordList(`
  name nam Files file count ratio mode modes link level quiet no_quiet label more input arguments other
`);
const value = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withTypedArray: false, withSparseArray: true }),
  fc.constantFrom<unknown>(
    "5",
    "5s",
    "FAST",
    "true",
    '["a"]',
    '{"name":"a"}',
    "-x",
    "a\0b",
    "\ud800",
    "2026/01/02",
    Number.NaN,
    -1,
    1e300,
  ),
);
const sent = fc.oneof(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 }), value);

test("a repaired call fits the schema when its placeholders are filled in, whatever was sent", () => {
  fc.assert(
    fc.property(sent, (args) => {
      const repair = repairedCall(tool, args);
      assert.equal(
        repair && "arguments" in repair
          ? validateArguments(tool.parameters, filledIn(tool.parameters, repair), {
              owner: "any",
              environment: () => undefined,
            }).issues
          : [],
        [],
      );
    }),
    // A date that is none, which only a program can send.
    { numRuns: 2_000, examples: [[[{ "": [new Date(Number.NaN)] }]]] },
  );
});

test("what fits is not changed", () => {
  const fitting = fc.record(
    {
      name: fc.stringMatching(/^[a-z][a-z0-9-]{0,5}$/),
      files: fc.array(
        fc.string({ minLength: 1 }).filter((text) => !text.includes("\0")),
        { minLength: 1, maxLength: 4 },
      ),
      count: fc.integer({ min: 1, max: 100 }),
      quiet: fc.boolean(),
      mode: fc.constantFrom("fast", "slow"),
    },
    { requiredKeys: ["name", "files"] },
  );
  fc.assert(
    fc.property(fitting, (args) => assert.equal(shown(tool, args), { arguments: { ...args }, placeholders: [] })),
    { numRuns: 500 },
  );
});

test("a wrapped, renamed or written-out call is the call", () => {
  const args = { name: "pen", files: ["a.txt"], count: 3, quiet: true };
  const forms: readonly unknown[] = [
    JSON.stringify(args),
    { input: args },
    { arguments: JSON.stringify(args) },
    { name: "any", arguments: args },
    [args],
    { function: { name: "any", arguments: JSON.stringify(args) } },
    { Name: "pen", file: "a.txt", Count: "3", QUIET: "yes" },
    { name: ["pen"], files: "a.txt", count: 3, quiet: 1 },
  ];
  for (const form of forms) assert.equal(shown(tool, form), { arguments: args, placeholders: [] });
});

test("an address gets the scheme that is missing, and what has another one gets none", () => {
  const meant = (link: string): unknown => {
    const repair = repairedCall(tool, { name: "pen", files: ["a"], link });
    return repair && "arguments" in repair && repair.placeholders.length === 0 ? repair.arguments["link"] : undefined;
  };
  const found = [
    "example.com",
    "//example.com/a",
    "www.example.com/?to=http://a",
    "example.com:8080/a",
    "localhost:3000",
    "http:/example.com",
    "HTTPS:example.com/a",
    "[::1]/a",
  ].map(meant);
  assert.equal(found, [
    "https://example.com",
    "https://example.com/a",
    "https://www.example.com/?to=http://a",
    "https://example.com:8080/a",
    "https://localhost:3000",
    "http://example.com",
    "https://example.com/a",
    "https://[::1]/a",
  ]);
  const others = [
    "file:///etc/passwd",
    "//file:///etc/passwd",
    "ftp://x",
    "javascript:1",
    "mailto:ana@example.com",
    "data:text/html,x",
    "ana:secret@example.com",
    "ana@example.com",
    "https:http://x",
    "http://",
    "/etc/passwd",
    "ex ample",
    "tel:12345",
  ];
  assert.equal(
    others.map(meant),
    others.map(() => undefined),
  );
});

test("a number becomes the nearest bound, and none that nobody has declared", () => {
  const wide = baseTool({
    name: "wide",
    title: "Wide",
    description: "Takes any number.",
    effects: ["read"],
    parameters: { ratio: number("Any"), count: integer("Any"), low: integer("Some", { maximum: 10 }) },
    execute: async () => okText(""),
  });
  const of = (args: Json): unknown => shown(wide, args);
  assert.equal(of({ ratio: "1e400", low: "1e400" }), {
    arguments: { ratio: "<ratio>", low: 10 },
    placeholders: ["ratio"],
    losses: { leftOut: [], changed: ["low"] },
  });
  assert.equal(of({ count: 1e300, ratio: "-1e400" }), {
    arguments: { ratio: "<ratio>", count: "<count>" },
    placeholders: ["ratio", "count"],
  });
});

test("a number that is no choice becomes none without a word", () => {
  const chosen = baseTool({
    name: "chosen",
    title: "Chosen",
    description: "Takes few numbers.",
    effects: ["read"],
    parameters: { level: integer("Which", { choices: [1, 2, 3] }) },
    execute: async () => okText(""),
  });
  assert.equal(shown(chosen, { level: "2" }), { arguments: { level: 2 }, placeholders: [] });
  for (const level of [4, 2.4, "30s"])
    assert.equal(shown(chosen, { level }), { arguments: { level: "<level>" }, placeholders: ["level"] });
});

test("a number in other units keeps its meaning, and what is lost or changed is named", () => {
  const lossy = baseTool({
    name: "lossy",
    title: "Lossy",
    description: "Takes some.",
    effects: ["read"],
    parameters: {
      timeout_s: number("Seconds", { maximum: 86_400 }),
      quality: number("How good", { minimum: 0, maximum: 1 }),
      names: array(string("One"), "Names"),
    },
    execute: async () => okText(""),
  });
  const of = (args: Json): unknown => shown(lossy, args);
  const none: readonly string[] = [];
  assert.equal(of({ timeout: 120_000 }), { arguments: { timeout_s: 120 }, placeholders: [] });
  assert.equal(of({ timeout: 30 }), { arguments: { timeout_s: 30 }, placeholders: [] });
  assert.equal(of({ quality: 80 }), {
    arguments: { quality: 0.8 },
    placeholders: [],
    losses: { leftOut: none, changed: ["quality"] },
  });
  assert.equal(of({ names: "a,b" }), { arguments: { names: ["a", "b"] }, placeholders: [] });
  assert.equal(of({ names: "a", path: "src" }), {
    arguments: { names: ["a"] },
    placeholders: [],
    losses: { leftOut: ["path"], changed: none },
  });
});

test.run();
