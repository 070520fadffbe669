import fc from "fast-check";
import { parseStrictJson, readJson } from "../../src/features/dialects/strict-json.ts";
import { assert, suite } from "../harness.ts";

const test = suite("dialects/strict-json");

test("parseStrictJson takes what JSON.stringify writes, and gives the same", () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      assert.is(JSON.stringify(parseStrictJson(text)), JSON.stringify({ value: JSON.parse(text) as unknown }));
    }),
    { numRuns: 200 },
  );
});

test("parseStrictJson refuses every text that JSON.parse refuses", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          "{",
          "}",
          "[",
          "]",
          ",",
          ":",
          '"',
          '"a"',
          "1",
          "-",
          ".",
          "e",
          "01",
          "true",
          "null",
          "NaN",
          " ",
          "\n",
          "\\",
          "\\u",
          "x",
          "\t",
        ),
        { maxLength: 12 },
      ),
      (tokens) => {
        const text = tokens.join("");
        const isJson = ((): boolean => {
          try {
            JSON.parse(text);
            return true;
          } catch {
            return false;
          }
        })();
        // A repeated key is the only thing that JSON.parse accepts and this reader does not.
        if (!isJson || !text.includes('"a"')) assert.is("value" in parseStrictJson(text), isJson, text);
      },
    ),
    { numRuns: 1_000 },
  );
});

test("parseStrictJson says what is wrong and where", () => {
  const problems: Readonly<Record<string, string>> = {
    "": "the JSON ends here, before it is complete (line 1, column 1)",
    '{"a":1': "the JSON ends here, before the closing `}` (line 1, column 7)",
    '{\n "a":"b': "the JSON ends here, within a string (line 2, column 8)",
    '{"a":1} {"b":2}': 'unexpected text after the JSON: `{"b":2}` (line 1, column 9)',
    "{'a':1}": "expected a key in double quotes, got `'a':1}` (line 1, column 2)",
    '{"a":1,\n"b":2,"a":3}': 'the key "a" is repeated in one object; keep one (line 2, column 7)',
    "[1,]": "JSON does not allow a comma before `]`; remove it (line 1, column 3)",
    "[Infinity]": "JSON has no Infinity; send a number (line 1, column 2)",
    "[1e999]": "`1e999` is out of range for a number (line 1, column 2)",
    "[007]": "`007` is not a JSON number (line 1, column 2)",
    "[nul]": "expected a value, got `nul]` (line 1, column 2)",
  };
  for (const [text, problem] of Object.entries(problems))
    assert.equal([text, parseStrictJson(text)], [text, { problem }]);
});

test("parseStrictJson keeps every digit, or refuses", () => {
  assert.equal(parseStrictJson("[9007199254740993]"), {
    problem: "`9007199254740993` has more digits than a number can hold; send it as a string (line 1, column 2)",
  });
  assert.equal(parseStrictJson("[1152921504606846976,119369105889120900,0.1]"), {
    value: [2 ** 60, 119369105889120900, 0.1],
  });
});

test("readJson reads one value from any place, and says which objects hold a fault", () => {
  const { value, end, faulty } = readJson('x {"a":{"b":1,"b":2},"c":[{}]} y', 1);
  assert.equal(
    [value, end, [...faulty].map(([object, { isOwn }]) => [object, isOwn])],
    [
      { a: { b: 2 }, c: [{}] },
      30,
      [
        [{ b: 2 }, true],
        [{ a: { b: 2 }, c: [{}] }, false],
      ],
    ],
  );
});

test("2 MB and 10,000 levels are read, or refused, without a deep stack", () => {
  const text = `[${'{"key":"some text with \\"escapes\\"","n":[1,2,3]},'.repeat(40_000)}0]`;
  const read = parseStrictJson(text);
  assert.is("value" in read && Array.isArray(read.value) && read.value.length, 40_001);
  const deep = parseStrictJson("[".repeat(10_000));
  assert.equal(deep, { problem: "is nested deeper than 128 levels (line 1, column 129)" });
});

test.run();
