// Inputs that no test of a tool has, and the literals of its code: both are a model's texts, of any length.
import { mutated, otherLiterals } from "../../src/features/forge/other-inputs.ts";
import { readForgeRequest } from "../../src/features/forge/request.ts";
import type { Parameter } from "../../src/core/schema/parameter.ts";
import { assert, assertLinear, suite } from "../harness.ts";

const test = suite("otherInputs");

const LENGTH = 20_000;
const parameter = (name: string, schema: Parameter["schema"]): Parameter => ({
  name,
  description: "",
  schema,
  required: true,
});

test("mutated keeps the form of a value, its choices and the names", () => {
  const parameters = [
    parameter("date", { type: "string" }),
    parameter("level", { type: "string", choices: ["low", "high"] }),
    parameter("on", { type: "boolean" }),
    parameter("n", { type: "number" }),
    parameter("words", { type: "array", items: { type: "string" } }),
  ];
  const input = { date: "2026-11-26", level: "low", on: true, n: 2, words: ["Zoë"] };
  assert.equal(mutated([{ input, expectedOutput: 1 }], parameters, 2), [
    { date: "2026-11-27", level: "low", on: true, n: 4, words: ["Apë"] },
    { date: "2026-11-26", level: "low", on: true, n: 3, words: ["Bqë"] },
  ]);
});

test("otherLiterals finds texts, numbers and names of a table that no test has", () => {
  const code = `const t = { DE: "Germany", 'fr': 'France', IT: "It\\"aly" }; return t[input.code] ?? { '2,3': 40, x: 7 };`;
  const cases = [{ input: { code: "DE", a: [2, 3] }, expectedOutput: "Germany" }];
  assert.equal(otherLiterals(code, cases), ["fr", "France", "IT", 'It\\"aly', 40, "x", 7]);
});

test("the time grows linearly with the code and with the inputs", () => {
  for (const unit of ['\\"', '"', "'", "a", "1", "a:", "a ", "// \\'", "`"])
    assertLinear(JSON.stringify(unit), LENGTH, (length) => void otherLiterals(unit.repeat(length), []));
  for (const unit of ["1", "a", "1a"])
    assertLinear(
      unit,
      LENGTH,
      (length) => void mutated([{ input: { text: unit.repeat(length) }, expectedOutput: 1 }], [], 4),
    );
  for (const [head, unit] of [
    ["export default execute", " "],
    ["export", " "],
    ["export {", "\t"],
    ["```js\n", "``` "],
    ["", "```\n"],
    ["", "export\n"],
  ] as const)
    assertLinear(
      head + unit,
      LENGTH,
      (length) =>
        void readForgeRequest({
          name: "one",
          description: "One.",
          implementation: `${head}${unit.repeat(length)}x`,
          testCases: [{ input: {}, expectedOutput: 1 }],
        }),
    );
});

test.run();
