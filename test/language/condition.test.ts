import fc from "fast-check";
import { unicodeText } from "../arbitrary-text.ts";
import {
  CONDITION_CHARACTERS_MAX,
  CONDITION_NESTING_MAX,
  conditionReferences,
  parseCondition,
} from "../../src/core/language/syntax/condition.ts";
import { mappedText } from "../../src/core/language/syntax/mapped-text.ts";
import { type Condition, conditionText, referencesIn } from "../../src/core/tool/condition.ts";
import { parseReference } from "../../src/core/tool/reference.ts";
import { assert, assertLinear, suite } from "../harness.ts";
import { textOf } from "./command-fixture.ts";
import { conditions } from "./generated-condition.ts";

const test = suite("condition");

function conditionOf(text: string): Condition {
  const { value, diagnostics } = parseCondition(textOf(text));
  if (!value) throw new Error(`${text}: ${diagnostics.map(({ message }) => message).join()}`);
  return value;
}

/** Returns the normal spelling, or the code and place of the mistake, and its message. */
function read(text: string): string {
  const mapped = textOf(text);
  const { value, diagnostics } = parseCondition(mapped);
  const [first, ...others] = diagnostics;
  if (value) return conditionText(value);
  if (!first?.at || others.length > 0) throw new Error(`${diagnostics.length} diagnostics for ${text}`);
  const { source, start, end } = first.at.span;
  const code = first.code === "bad-condition" ? "" : `${first.code}: `;
  return `${code}[${source.text.slice(start, end)}] ${first.message}; ${first.at.text}`;
}

const reference = (text: string, root: string, ...path: readonly (string | number)[]): unknown => ({
  kind: "reference",
  reference: { text, root, path },
});

test("parseCondition gives the tree as plain data", () => {
  const condition = conditionOf(
    "!{a.ok} && ({b.json.x[0]} contains 'x' || {c} matches /^v\\d/i) && {d} >= -1.50 || true",
  );
  assert.equal(condition, {
    kind: "or",
    conditions: [
      {
        kind: "and",
        conditions: [
          { kind: "not", condition: { kind: "holds", operand: reference("a.ok", "a", "ok") } },
          {
            kind: "or",
            conditions: [
              {
                kind: "compare",
                comparison: "contains",
                left: reference("b.json.x[0]", "b", "json", "x", 0),
                right: { kind: "text", text: "x" },
              },
              { kind: "matches", operand: reference("c", "c"), pattern: { source: "^v\\d", flags: "i" } },
            ],
          },
          { kind: "compare", comparison: ">=", left: reference("d", "d"), right: { kind: "number", decimal: "-1.50" } },
        ],
      },
      { kind: "holds", operand: { kind: "boolean", value: true } },
    ],
  });
  assert.equal(JSON.parse(JSON.stringify(condition)), condition);
  assert.equal(
    referencesIn(condition).map(({ text }) => text),
    ["a.ok", "b.json.x[0]", "c", "d"],
  );
});

test("parseCondition binds || less than &&, that less than !, and ! less than a comparison", () => {
  assert.is(read("{a} || {b} && {c}"), "{a} || {b} && {c}");
  assert.is(read("({a} || {b}) && {c}"), "({a} || {b}) && {c}");
  assert.is(read("({a}) || (({b} && {c}))"), "{a} || {b} && {c}");
  assert.equal(conditionOf("!{a} == 1"), conditionOf("!({a} == 1)"));
  assert.is(read("!!({a} && {b})"), "!!({a} && {b})");
});

test("parseCondition reads any spacing, and both kinds of quotes", () => {
  assert.is(read("{a}==1&&!{b}!=2||({c}contains'x')"), '{a} == 1 && !{b} != 2 || {c} contains "x"');
  assert.is(read("  {a}\n\t==\u00a0'say \"x\"\\'  "), '{a} == "say \\"x\\"\\\\"');
  assert.equal(conditionOf('{a} == "\\u00e9\\n\\/\t\n"'), {
    kind: "compare",
    comparison: "==",
    left: reference("a", "a"),
    right: { kind: "text", text: "é\n/\t\n" },
  });
});

test("parseCondition reads a whole condition in quotes as older YAML writes it, with its places", () => {
  assert.is(read('"{a.exit-code} == 0"'), "{a.exit-code} == 0");
  assert.is(read("'{a} == \"x\"'"), '{a} == "x"');
  assert.is(read('"{a} == \\"x\\" && {b} matches /\\d/"'), '{a} == "x" && {b} matches /\\d/');
  assert.is(
    read('"{a} == \\"x\\" and {b} = 1"'),
    "[and] `and` does not belong here; expected `&&`, `||` or the end of the condition",
  );
  assert.is(read('"a" == "b"'), '"a" == "b"');
  assert.is(
    read("'{a} = 0'"),
    "[=] `=` does not belong here; expected `matches`, an operator such as `==`, `&&`, `||` or the end of the condition",
  );
});

const aValue = "expected a reference such as {build.ok}, text in quotes, a number, `true` or `false`";
const otherValue = "expected a reference in braces, text in quotes, a number, `true` or `false`";
const operator = "expected `matches`, an operator such as `==`, `&&`, `||` or the end of the condition";
const joint = "expected `&&`, `||` or the end of the condition";
const aPattern = "expected a pattern such as /^v[0-9]/";

const slips: readonly (readonly [text: string, said: string])[] = [
  ["{a} = 0", `[=] \`=\` does not belong here; ${operator}`],
  ["{a} === 0", `[===] \`===\` does not belong here; ${otherValue}`],
  ["{a} !== 0", `[!==] \`!==\` does not belong here; ${otherValue}`],
  ["{a} <> 0", `[<>] \`<>\` does not belong here; ${otherValue}`],
  ["{a} => 0", `[=>] \`=>\` does not belong here; ${operator}`],
  ["{a} =< 0", `[=<] \`=<\` does not belong here; ${operator}`],
  ["{a} =~ /x/", `[=~] \`=~\` does not belong here; ${operator}`],
  ["{a} & {b}", `[&] \`&\` does not belong here; ${operator}`],
  ["{a} | {b}", `[|] \`|\` does not belong here; ${operator}`],
  ["{a} and {b} OR not {c}", `[and] \`and\` does not belong here; ${operator}`],
  ["not {a}", `[not] \`not\` does not belong here; ${aValue}`],
  ["not({a} -ne 1)", `[not] \`not\` does not belong here; ${aValue}`],
  ["{a} -eq 0", `[-eq] \`-eq\` does not belong here; ${operator}`],
  ["{a} not contains 'x'", `[not] \`not\` does not belong here; ${operator}`],
  ["{a} contain 'x'", `[contain] \`contain\` does not belong here; ${operator}`],
  ["clone.exit-code == 0", `[clone.exit-code] \`clone.exit-code\` does not belong here; ${aValue}`],
  ["{a} == b.stdout", `[b.stdout] \`b.stdout\` does not belong here; ${otherValue}`],
  ["branch == {main}", `[branch] \`branch\` does not belong here; ${aValue}`],
  ["success() && {a}", `[success] \`success\` does not belong here; ${aValue}`],
  ["{ a } == 0", `[{ a }] \`{ a }\` does not belong here; ${aValue}`],
  ["${{ a }} == 0", `[$] \`$\` does not belong here; ${aValue}`],
  ["{a b} == 0", `[{a b}] \`{a b}\` does not belong here; ${aValue}`],
  ["{a.ok == 1 && {b}", `[{a.ok] \`{a.ok\` does not belong here; ${aValue}`],
  ["{a} == “main”", `[“main”] \`“main”\` does not belong here; ${otherValue}`],
  ['{a} == "main”', `["main”] this quote is not closed; ${otherValue}`],
  ['{a} == "two words ', `["two words ] this quote is not closed; ${otherValue}`],
  ['{a} == "x && {b} == 1', `["x && {b} == 1] this quote is not closed; ${otherValue}`],
  ["{a} == 'x", `['x] this quote is not closed; ${otherValue}`],
  [
    "({a} == 1 || {b}",
    "[] the condition is incomplete; expected `matches`, an operator such as `==`, `&&`, `||` or `)`",
  ],
  [
    "({a} || {b} && {c}",
    "[] the condition is incomplete; expected `matches`, an operator such as `==`, `&&`, `||` or `)`",
  ],
  ["!({a} || {b}", "[] the condition is incomplete; expected `matches`, an operator such as `==`, `&&`, `||` or `)`"],
  ["{a} == 1)", `[)] \`)\` does not belong here; ${joint}`],
  ["{a} == main", `[main] \`main\` does not belong here; ${otherValue}`],
  ["{a} == two words and {b} == 1.2.3", `[two] \`two\` does not belong here; ${otherValue}`],
  ["{a} == True", `[True] \`True\` does not belong here; ${otherValue}`],
  ["{a} != null", `[null] \`null\` does not belong here; ${otherValue}`],
  ["{a} == 1e3", `[1e3] \`1e3\` does not belong here; ${otherValue}`],
  ['{a} == "\\n\\d"', `["\\n\\d"] \`"\\n\\d"\` does not belong here; ${otherValue}`],
  ['{a} matches "a/\\d"', `["a/\\d"] \`"a/\\d"\` does not belong here; ${aPattern}`],
  ["{a} matches ^v", `[^v] \`^v\` does not belong here; ${aPattern}`],
  ["{a} matches //", `[//] \`//\` does not belong here; ${aPattern}`],
  ["{a} matches /(/", "bad-regex: [/(/] this is not a valid regular expression; unterminated group"],
  [
    "{a} matches /x/g",
    "bad-regex: [/x/g] this is not a valid regular expression; the flags are i, m, s, u and v, not `g`",
  ],
  ['"{a}" == "x"', '["{a}"] `{a}` is not expanded in quotes; expected the reference without quotes'],
  ["{a} == 'x{b}'", "['x{b}'] `{b}` is not expanded in quotes; expected text without references"],
  ["1 < {a} < 3", `[<] \`<\` does not belong here; ${joint}`],
  ["{a} {b}", `[{b}] \`{b}\` does not belong here; ${operator}`],
  ["({a}) == 1", `[==] \`==\` does not belong here; ${joint}`],
  ["== 1", `[==] \`==\` does not belong here; ${aValue}`],
  ["{a} == ", `[] the condition is incomplete; ${otherValue}`],
  ["{a} &&", `[] the condition is incomplete; ${aValue}`],
  [" ", `[ ] the condition is empty; ${aValue}`],
  ["", `[] the condition is empty; ${aValue}`],
];

test(`parseCondition says what is wrong, and where (${slips.length})`, () => {
  assert.equal(
    slips.map(([text]) => read(text)),
    slips.map(([, said]) => said),
  );
});

test("parseCondition points into lines that were joined", () => {
  const text = "@step a runs [when={a} == 0\n    and {b}]";
  const mapped = mappedText(
    { path: "x.tool", text },
    [
      { start: 19, end: 27 },
      { start: 32, end: 39 },
    ],
    " ",
  );
  const { diagnostics } = parseCondition(mapped);
  assert.equal(
    diagnostics.map(({ at }) => text.slice(at?.span.start, at?.span.end)),
    ["and"],
  );
});

test("parseCondition takes for a reference what parseReference does", () => {
  const part = fc.constantFrom("a", "Z_9", "-", ".", "[", "]", "0", ":-", ":", " ", "é", "\n", "'", "=");
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 7 }).map((parts) => parts.join("")),
      (text) => {
        assert.is(
          parseCondition(textOf(`!{${text}}`)).value !== undefined,
          parseReference(text) !== undefined,
          JSON.stringify(text),
        );
      },
    ),
    { numRuns: 500 },
  );
});

test("conditionReferences knows where references stand, also in quotes and in what is no condition", () => {
  const places = (text: string): unknown =>
    conditionReferences(textOf(text)).map(({ value, span }) => [
      value.root,
      span.source.text.slice(span.start, span.end),
    ]);
  assert.equal(places('"{a.ok} == \\"{x\\" && {b:-none} matches /{c}/"'), [
    ["a", "{a.ok}"],
    ["b", "{b:-none}"],
  ]);
  assert.equal(places("{a} and ({b"), [["a", "{a}"]]);
});

test("parseCondition reads what is as long and as deep as it may be, and no more", () => {
  const long = (length: number): string => `{a} == "${"x".repeat(length - 9)}"`;
  assert.is(read(long(CONDITION_CHARACTERS_MAX)), long(CONDITION_CHARACTERS_MAX));
  assert.is(
    read(long(CONDITION_CHARACTERS_MAX + 1)),
    'too-large: ["] a condition has at most 4096 characters; the rest is not read',
  );
  for (const [open, close] of [
    ["(", ")"],
    ["!", ""],
    ["!(", ")"],
  ] as const) {
    const deep = (depth: number): string =>
      `${open.repeat(depth / open.length)}{a}${close.repeat(depth / open.length)}`;
    conditionOf(deep(CONDITION_NESTING_MAX));
    assert.is(
      read(deep(CONDITION_NESTING_MAX + open.length)),
      `too-deep: [${open.slice(0, 1)}] a condition has at most 64 levels; one level too many`,
    );
  }
  conditionOf(Array.from({ length: 200 }, () => "!({a})").join(" && "));
  conditionOf(`{a} == "${"(".repeat(100)}"`);
});

test("parseCondition takes time linear to a hostile text", () => {
  for (const unit of ["(", "{", '"', "{a} matches /", "{a:-", '"\\', "“", "{a} and "]) {
    assertLinear(unit, CONDITION_CHARACTERS_MAX / 8, (size) => {
      assert.is(parseCondition(textOf(unit.repeat(size / unit.length))).diagnostics.length, 1, unit);
    });
  }
});

const lengthy = `!{clone.exit-code:-1} == 0 && ({b.json.rows[0].x-1} contains "a\\"b\\u00e9" || 'its' != {c} && !({d} matches /^v\\d[/"]+\\/$/im)) || -1.5 <= {e} && true`;

test("parseCondition reads every prefix of a condition, or says one thing that is wrong with it", () => {
  conditionOf(lengthy);
  for (let end = 0; end < lengthy.length; end++) assert.ok(read(lengthy.slice(0, end)) !== "");
});

const pieces = fc.oneof(
  fc.constantFrom(
    "{a}",
    "{a.ok",
    "}",
    "{",
    '"',
    "'",
    "\\",
    "/",
    "(",
    ")",
    "!",
    "=",
    "==",
    "<",
    "&&",
    "|",
    " and ",
    " not ",
    " contains ",
    " matches ",
    "/x/",
    "1",
    "-",
    ".",
    "true",
    "x",
    " ",
    "\n",
    "“",
    "$",
    "\ud800",
    "\u{1f99c}",
    "__proto__",
    "constructor ",
  ),
  unicodeText(3),
);

test("parseCondition gives a condition or one diagnostic in the text, for 600 texts", () => {
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 12 }).map((all) => all.join("")),
      (text) => {
        const mapped = textOf(text);
        const { value, diagnostics } = parseCondition(mapped);
        assert.is(diagnostics.length, value ? 0 : 1, JSON.stringify(text));
        for (const { at } of diagnostics) {
          assert.ok(
            at && at.span.start >= mapped.span.start && at.span.end <= mapped.span.end && at.span.start <= at.span.end,
            JSON.stringify(text),
          );
        }
      },
    ),
    { numRuns: 600 },
  );
});

test("conditionText is read as the same condition, and printed as the same text", () => {
  fc.assert(
    fc.property(conditions, (condition) => {
      const text = conditionText(condition);
      const again = conditionOf(text);
      assert.equal(again, condition, text);
      assert.is(conditionText(again), text);
    }),
    { numRuns: 500 },
  );
});

test.run();
