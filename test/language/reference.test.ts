import fc from "fast-check";
import type { Json } from "../../src/core/schema/json.ts";
import { parseReference, REFERENCE, referencedValue, valueAt } from "../../src/core/tool/reference.ts";
import { assert, assertLinear, suite } from "../harness.ts";
import { wordList } from "../lines.ts";

const test = suite("reference");

test("parseReference gives root, path and default", () => {
  assert.equal(parseReference("TEMP_DIR"), { text: "TEMP_DIR", root: "TEMP_DIR", path: [] });
  assert.equal(parseReference("clone.exit-code"), { text: "clone.exit-code", root: "clone", path: ["exit-code"] });
  assert.equal(parseReference("a-1.json.rows[0][12].x_y.7:-none"), {
    text: "a-1.json.rows[0][12].x_y.7:-none",
    root: "a-1",
    path: ["json", "rows", 0, 12, "x_y", "7"],
    default: "none",
  });
  assert.equal(parseReference("x:-"), { text: "x:-", root: "x", path: [], default: "" });
  assert.equal(parseReference('x:-two "words" :- $(id)'), {
    text: 'x:-two "words" :- $(id)',
    root: "x",
    path: [],
    default: 'two "words" :- $(id)',
  });
  assert.equal(parseReference("x:-a\nb")?.default, "a\nb");
});

test("parseReference takes no other text", () => {
  for (const text of [
    "",
    " a",
    "a ",
    "2a",
    "-a",
    "a.",
    "a..b",
    "a[x]",
    "a[-1]",
    "a[]",
    "a[0",
    "a b",
    "{a}",
    "a:-{b}",
    "a:-}",
    "a:b",
    "a:",
    "é",
    "a\n",
    "a.b\n",
  ]) {
    assert.is(parseReference(text), undefined, JSON.stringify(text));
  }
});

test("parseReference has no number that JSON cannot hold", () => {
  assert.equal(parseReference(`a[${"9".repeat(400)}]`)?.path, [Number.MAX_SAFE_INTEGER]);
});

test("REFERENCE finds references in text, and only them", () => {
  const found = "x {a} {{b}} ${c.d} { e } {} {f:-g h}{i[0]}".match(new RegExp(`\\{${REFERENCE}\\}`, "g"));
  assert.equal(found, ["{a}", "{b}", "{c.d}", "{f:-g h}", "{i[0]}"]);
});

test("REFERENCE and parseReference agree on every text", () => {
  const piece = fc.constantFrom("a", "Z_9", "-", ".", "[", "]", "0", ":-", ":", "{", "}", " ", "é", "\n");
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
      (text) => {
        assert.is(
          new RegExp(`^(?:${REFERENCE})$`).test(text),
          parseReference(text) !== undefined,
          JSON.stringify(text),
        );
      },
    ),
    { numRuns: 5_000 },
  );
});

test("REFERENCE is linear in a hostile text", () => {
  const expression = new RegExp(`\\{${REFERENCE}\\}`, "g");
  for (const unit of ["{", "{a", "{a.b", "{a[0]", "{a:-", "a.b-", "{a:-b}"]) {
    assertLinear(unit, 20_000, (size) => void unit.repeat(size).replaceAll(expression, ""));
  }
});

const found = (text: string, value: Json | undefined): Json | undefined => {
  const reference = parseReference(text);
  if (!reference) throw new Error(`${text} is no reference`);
  return referencedValue(reference, (root, path) => (root === "a" ? valueAt(value, path) : undefined));
};

test("referencedValue takes the default for what is absent or empty, and for nothing else", () => {
  assert.equal(
    ["", null, undefined, 0, false, " ", []].map((value) => found("a:-none", value)),
    ["none", "none", "none", 0, false, " ", []],
  );
  assert.equal(
    ["", null, undefined].map((value) => found("a", value)),
    ["", null, undefined],
  );
  assert.is(found("a.b.c:-none", { b: 1 }), "none");
});

test("valueAt walks what values hold themselves", () => {
  const value: Json = { rows: [{ name: "x" }, [true]], "exit-code": 1, "7": "seven" };
  assert.equal(
    ["a.rows[0].name", "a.rows[1][0]", "a.exit-code", "a.7", "a.rows"].map((text) => found(text, value)),
    ["x", true, 1, "seven", value["rows"]],
  );
  const absent = wordList(`
    a.rows.length a.rows[2] a.rows.0 a.rows[0].name.length a.rows[0].name[0] a[7] a.nothing
    a.rows[9007199254740991]
  `);
  assert.equal(
    absent.map((text) => found(text, value)),
    absent.map(() => undefined),
  );
});

test("valueAt gives nothing that values inherit", () => {
  for (const path of [
    "__proto__",
    "constructor",
    "constructor.prototype",
    "toString",
    "__proto__.polluted",
    "hasOwnProperty",
    "valueOf",
  ]) {
    for (const value of [{}, [], "text", 1, true]) assert.is(found(`a.${path}`, value), undefined, path);
  }
  assert.is(found("a.__proto__.x", JSON.parse('{"__proto__": {"x": 1}}')), 1);
});

test.run();
