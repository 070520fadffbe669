import { readFileSync } from "node:fs";
import fc from "fast-check";
import { unicodeText } from "../arbitrary-text.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { parseCondition } from "../../src/core/language/syntax/condition.ts";
import type { Json } from "../../src/core/schema/json.ts";
import { conditionHolds, type ConditionResult } from "../../src/core/steps/condition.ts";
import { referencedValue, valueAt } from "../../src/core/tool/reference.ts";
import { assert, suite } from "../harness.ts";
import { textOf } from "../language/command-fixture.ts";
import { conditions } from "../language/generated-condition.ts";

const test = suite("steps/condition");
const host = createNodeHost();
type Values = Readonly<Record<string, Json>>;

function decided(text: string, values: Values = {}, runBounded = host.runBounded): ConditionResult {
  const { value: condition, diagnostics } = parseCondition(textOf(text));
  if (!condition) throw new Error(`${text}: ${diagnostics.map(({ message }) => message).join()}`);
  return conditionHolds(condition, {
    valueOf: (reference) =>
      referencedValue(reference, (root, path) =>
        Object.hasOwn(values, root) ? valueAt(values[root], path) : undefined,
      ),
    runBounded,
  });
}

const holds = (text: string, values?: Values): boolean | undefined => decided(text, values).holds;

function holding(texts: readonly string[], values?: Values): readonly string[] {
  return texts.filter((text) => holds(text, values));
}

/** Checks that all of the first hold and none of the second. */
function checkAll(yes: readonly string[], no: readonly string[], values?: Values): void {
  assert.equal(holding(yes, values), yes);
  assert.equal(holding(no, values), []);
}

test("conditionHolds compares decimals as numbers, whether they are numbers, text or in quotes", () => {
  checkAll(
    [
      "{code} == 0",
      "{text} == 12",
      '{text} == "12.0"',
      "{text} < 100",
      "{text} > 9",
      "{code} <= -0",
      "{text} >= 12",
      "{float} == 0.5",
      "{tiny} < 0.1",
      "{tiny} == 0.0000001",
      "-2 < -1",
      "007 == 7",
    ],
    ["{code} != 0", "{text} < 9", "{text} != 12", "{code} < 0", "{float} > 0.5"],
    { code: 0, text: " 12\n", float: 0.5, tiny: 1e-7 },
  );
});

test("conditionHolds sees the last digit of long numbers", () => {
  checkAll(["{id} == 1234567890123456789", "{id} > 1234567890123456788"], ["{id} == 1234567890123456788"], {
    id: "1234567890123456789",
  });
});

test("conditionHolds compares everything else as text, by code units", () => {
  checkAll(
    [
      "{a} == 'main'",
      "{a} != 'main '",
      "{a} < 'mbin'",
      "{a} > 'MAIN'",
      "{a} > 12",
      "{sha} != 1000000",
      "{yes} == true",
      "{yes} == 'true'",
      "{no} == false",
      "{list} == '[1,\"x\"]'",
      "'é' > 'z'",
      "{version} > '1.10.0'",
    ],
    ["{a} == 'Main'", "{a} < 'MAIN'", "{sha} == 1000000", "{yes} == 1"],
    { a: "main", sha: "1e6", yes: true, no: false, list: [1, "x"], version: "1.9.0" },
  );
});

test("conditionHolds takes what is absent for the empty text", () => {
  checkAll(
    [
      "{x} == ''",
      "{x.json.a[0]} == ''",
      "{none} == ''",
      "!{x}",
      "{x:-} == ''",
      "{x:-5} > 4",
      "{empty:-5} == 5",
      "{x} contains ''",
      "{x} matches /^$/",
      "{x} < 'a'",
    ],
    ["{x}", "{x} == 0", "{x} == false", "{none}", "{x} contains 'a'"],
    { none: null, empty: "" },
  );
});

test("conditionHolds takes a value alone for true unless it is empty, false or zero", () => {
  const yes: readonly Json[] = ["x", "no", "False", "-1", 1, true, [0], {}, "0x0", "00a", "null"];
  const no: readonly Json[] = ["", " ", "\n", "false", " false\n", "0", "0.00", "-0", " 0\n", 0, false, null, []];
  assert.equal(
    yes.map((x) => holds("{x}", { x })),
    yes.map(() => true),
  );
  assert.equal(
    no.map((x) => holds("{x}", { x })),
    no.map(() => false),
  );
  checkAll(["true", "1", "('x')"], ["false", "0", "('')", "('false')"]);
});

test("conditionHolds looks for a text in a text, and for an item in a list", () => {
  checkAll(
    [
      "{text} contains 'b c'",
      "{text} contains ''",
      "{number} contains 2",
      "{list} contains 'b'",
      "{list} contains 3",
      "{list} contains '3.0'",
      "{object} contains '\"k\":1'",
    ],
    ["{text} contains 'B'", "{list} contains 'b c'", "{list} contains ''", "{list} contains '['"],
    { text: "a b c", number: 123, list: ["a", "b", 3], object: { k: 1 } },
  );
});

test("conditionHolds looks for a pattern anywhere in a text", () => {
  checkAll(
    ["{x} matches /b\\d/", "{x} matches /^A/i", "{x} matches /^b/m", "{x} matches /a.b/s", "!{x} matches /^b/"],
    ["{x} matches /^b/", "{x} matches /A/"],
    { x: "a\nb1" },
  );
});

test("conditionHolds joins with &&, || and !", () => {
  const values = { t: true, f: false };
  checkAll(
    ["{t} || {f} && {f}", "!{f} && {t}", "!({t} && {f})", "!!{t}", "!{t} == false", "{f} || {f} || {t}"],
    ["({t} || {f}) && {f}", "!{t}", "!({f} || {t})"],
    values,
  );
});

const hostile = [
  '"',
  "' == ''",
  '" == "',
  "x == x",
  "{x}",
  "{secret}",
  "{x:-y}",
  "$(touch pwned)",
  "`id`",
  "a\nb",
  "\\",
  "&& true",
  ") || true || (",
  "true",
  "false",
  "/x/",
  "!",
  "\0",
  "\ud800",
  "\u2028",
  "${x}",
  "__proto__",
];

test("conditionHolds compares values and never reads them", () => {
  for (const output of hostile) {
    const values = { output, secret: "s3", x: "y" };
    assert.is(holds("{output} == {same}", { ...values, same: output }), true, output);
    assert.is(holds("{output} == 'safe'", values), false, output);
    assert.is(holds("{output} == 's3' || {output} == 'y'", values), false, output);
    assert.is(holds("{all} contains {output}", { ...values, all: `<${output}>` }), true, output);
  }
});

test("conditionHolds agrees with the texts themselves, whatever they hold", () => {
  const text = fc.oneof(fc.constantFrom(...hostile), unicodeText(5)).map((each) => `:${each}`);
  fc.assert(
    fc.property(text, text, (a, b) => {
      assert.equal(
        ["==", "!=", "<", ">=", "contains"].map((operator) => holds(`{a} ${operator} {b}`, { a, b })),
        [a === b, a !== b, a < b, a >= b, a.includes(b)],
      );
    }),
    { numRuns: 300 },
  );
});

test("conditionHolds takes nothing that values inherit", () => {
  checkAll(
    [],
    ["{x.json.__proto__}", "{x.constructor}", "{__proto__}", "{constructor.name}", "{x.json.length}", "{toString}"],
    { x: { json: [1] } },
  );
});

test("conditionHolds takes a mebibyte of text", () => {
  const long = "0".repeat(1_048_576);
  checkAll(
    ["{long} == 0", "{long} contains '000'", "{long} == {long}", "{text} matches /b$/", "{text} != {long}"],
    ["{long} == 1", "{long}", "{text} == 0"],
    { long, text: `${long}b` },
  );
});

const endless = { x: `${"a".repeat(50)}!` };

test("conditionHolds fails where a pattern does not end, and names it", () => {
  const result = decided("{x} == 1 || {x} matches /a/ && {x} matches /^(a+)+\\1$/i", endless, (work) =>
    host.runBounded(work, 300),
  );
  assert.equal(result, {
    failure: {
      kind: "rejected",
      reason: "the pattern `/^(a+)+\\1$/i` of the condition timed out after 1000 ms",
      help: ["write the pattern without a backreference such as `\\1`"],
    },
  });
});

test("conditionHolds matches in linear time, whatever the pattern repeats", () => {
  checkAll(
    ["!{x} matches /^(a+)+$/", "!{long} matches /(a|a)*b/", "!{long} matches /.*.*=.*/", "{long} matches /(.*)*a$/"],
    [],
    { ...endless, long: "a".repeat(100_000) },
  );
});

test("conditionHolds gives all patterns of a condition one second together, and other conditions no bound", () => {
  const limitsMs: number[] = [];
  const noting = <T>(work: () => T, limitMs: number): T => {
    limitsMs.push(limitMs);
    return work();
  };
  decided("{x} matches /a/ && !{x} matches /b/ || {x} matches /c/", endless, noting);
  decided("{x} == 'a' || {x}", endless, noting);
  assert.equal(limitsMs, [1_000]);
});

test("conditionHolds passes on what goes wrong elsewhere", () => {
  const broken = (): never => {
    throw new RangeError("ours");
  };
  assert.throws(
    () => decided("{x} matches /a/", endless, broken),
    (error: unknown) => error instanceof RangeError,
  );
});

test("conditionHolds decides any condition, from the tree or from a copy out of a cache", () => {
  const anything = fc.constantFrom<Json | undefined>(undefined, null, "", "main", 0, 12, true, [], ["main"], {
    rows: [{ name: "x" }],
  });
  fc.assert(
    fc.property(conditions, anything, (condition, value) => {
      const values = { valueOf: () => value, runBounded: <T>(work: () => T): T => work() };
      const result = conditionHolds(condition, values);
      assert.type(result.holds, "boolean");
      assert.equal(conditionHolds(JSON.parse(JSON.stringify(condition)), values), result);
      assert.equal(conditionHolds({ kind: "not", condition }, values), { holds: !result.holds });
    }),
    { numRuns: 2_000 },
  );
});

test("src/core/steps/condition.ts loads neither Ohm nor anything of src/language", () => {
  const seen = new Set<string>();
  const visit = (url: URL): void => {
    if (seen.has(url.href)) return;
    seen.add(url.href);
    for (const [, name = ""] of readFileSync(url, "utf8").matchAll(
      /^(?:import|export) (?!type )[^;]*? from "([^"]+)";/gm,
    )) {
      if (name.startsWith(".")) visit(new URL(name, url));
      else seen.add(name);
    }
  };
  visit(new URL("../../src/core/steps/condition.ts", import.meta.url));
  const loaded = [...seen].map((each) => each.replace(/^file:.*\/src\//, "src/")).sort();
  assert.equal(loaded, [
    "src/core/schema/character-classes.ts",
    "src/core/schema/json.ts",
    "src/core/schema/linear-pattern.ts",
    "src/core/schema/pattern-match.ts",
    "src/core/schema/pattern-syntax.ts",
    "src/core/steps/condition.ts",
    "src/core/tool/condition.ts",
    "src/core/tool/error-code.ts",
    "src/core/tool/reference.ts",
  ]);
});

test.run();
