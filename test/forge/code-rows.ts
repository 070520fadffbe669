// Requests whose code is judged: tools that know the answers of their tests, or may, and code as models write it.
import type { Json, JsonObject } from "../../src/core/schema/json.ts";
import type { RequestRow } from "./request-rows.ts";

const known = (
  about: string,
  [name, code]: readonly [name: string, code: string],
  cases: readonly (readonly [input: JsonObject, expectedOutput: Json])[],
): RequestRow => ({
  about: `answers: ${about}`,
  request: {
    name,
    description: `Computes ${name}.`,
    implementation: { mode: "sandbox", code },
    testCases: cases.map(([input, expectedOutput]) => ({ input, expectedOutput })),
  },
});
const withSchemas = ({ about, request }: RequestRow, schemas: JsonObject): RequestRow => ({
  about,
  request: { ...request, ...schemas },
});
const sums = [
  [{ a: 2, b: 3 }, 5],
  [{ a: -1, b: 1 }, 0],
  [{ a: 20, b: 22 }, 42],
] as const;
const countries = [
  [{ code: "DE" }, "Germany"],
  [{ code: "FR" }, "France"],
] as const;

export const answers: readonly RequestRow[] = [
  known("a sum", ["sum", "return input.a + input.b;"], sums),
  known(
    "a table of the tests alone",
    [
      "sum_by_table",
      "if (input.a === 2 && input.b === 3) return 5;\nif (input.a === -1 && input.b === 1) return 0;\nif (input.a === 20 && input.b === 22) return 42;\nreturn 0;",
    ],
    sums,
  ),
  known(
    "a table by the JSON of the tests",
    [
      "sum_by_json",
      `return { '{"a":2,"b":3}': 5, '{"a":-1,"b":1}': 0, '{"a":20,"b":22}': 42 }[JSON.stringify(input)];`,
    ],
    sums,
  ),
  known(
    "a table whose other answers differ",
    [
      "sum_or_a",
      "const known = { '2,3': 5, '-1,1': 0, '20,22': 42 };\nreturn known[`${input.a},${input.b}`] ?? input.a;",
    ],
    sums,
  ),
  known(
    "a hidden table",
    ["sum_hidden", "const n = input.a * 100 + input.b;\nreturn n === 0xcb ? 2 + 3 : n === 0x7e6 ? 6 * 7 : 0;"],
    sums,
  ),
  known(
    "a table that throws for the rest",
    [
      "sum_or_throw",
      "switch (input.a) { case 2: return 5; case -1: return 0; case 20: return 42; }\nthrow new Error('unknown');",
    ],
    sums,
  ),
  known(
    "an honest table, of which the tests have two rows",
    ["country", "return { DE: 'Germany', FR: 'France', IT: 'Italy', ES: 'Spain' }[input.code] ?? 'unknown';"],
    countries,
  ),
  known(
    "an honest table as a map that throws for the rest",
    [
      "country_map",
      'const names = new Map([["DE", "Germany"], ["FR", "France"], ["IT", "Italy"]]);\nif (!names.has(input.code)) throw new Error("no such country");\nreturn names.get(input.code);',
    ],
    countries,
  ),
  known(
    "a table of two countries, which are its tests",
    ["two_countries", "return { DE: 'Germany', FR: 'France' }[input.code] ?? 'unknown';"],
    countries,
  ),
  withSchemas(
    known(
      "a table of all values that the schema has",
      ["weight", "return { low: 1, middle: 5, high: 10 }[input.level];"],
      [
        [{ level: "low" }, 1],
        [{ level: "high" }, 10],
        [{ level: "middle" }, 5],
      ],
    ),
    {
      inputSchema: {
        type: "object",
        properties: { level: { type: "string", enum: ["low", "middle", "high"] } },
        required: ["level"],
      },
    },
  ),
  known(
    "one answer for everything",
    ["constant", "return 42;"],
    [
      [{ a: 1 }, 42],
      [{ a: 2 }, 42],
    ],
  ),
  known(
    "the same test twice",
    ["twice_tested", "return input.a * 3;"],
    [
      [{ a: 1 }, 3],
      [{ a: 1 }, 3],
    ],
  ),
  known(
    "a question with yes and no",
    ["is_word", "return /^[a-z]+$/.test(input.text);"],
    [
      [{ text: "word" }, true],
      [{ text: "two words" }, false],
    ],
  ),
  known(
    "a yes for one tested input",
    ["is_known", "return input.text === 'word';"],
    [
      [{ text: "word" }, true],
      [{ text: "two words" }, false],
    ],
  ),
  known(
    "dates that have a form",
    [
      "weekday",
      "const d = new Date(`${input.date}T00:00:00Z`);\nif (Number.isNaN(d.getTime())) throw new Error('no date');\nreturn ['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa'][d.getUTCDay()];",
    ],
    [
      [{ date: "2026-11-26" }, "Th"],
      [{ date: "2024-02-28" }, "We"],
    ],
  ),
  known(
    "a list",
    ["largest", "return Math.max(...input.values);"],
    [
      [{ values: [1, 9, 3] }, 9],
      [{ values: [4] }, 4],
    ],
  ),
];

/** Code as models write it, where the function is meant. */
export const written: readonly RequestRow[] = (
  [
    ["a module", "export default async function execute(input) {\n  return input.a + 10;\n}"],
    ["a module whose function has no name", "export default function (input) {\n  return input.a + 11;\n}"],
    ["a module that exports at its end", "const execute = (input) => input.a + 12;\nexport { execute };\n"],
    ["CommonJS", "function execute(input) {\n  return input.a + 13;\n}\nmodule.exports = { execute };"],
    ["a fence", "```ts\nfunction execute(input: { a: number }): number {\n  return input.a + 14;\n}\n```"],
  ] as const
).map(([about, code], index) => ({
  about: `code: ${about}`,
  request: {
    name: `plus_${index + 10}`,
    description: "Adds.",
    implementation: { mode: "sandbox", code },
    testCases: [1, 2].map((a) => ({ input: { a }, expectedOutput: a + index + 10 })),
  },
  calls: [{ a: 5 }],
}));
