// Requests for tools as models write them: those that become tools, each with calls, and those that are refused.
import type { Json, JsonObject } from "../../src/core/schema/json.ts";

export interface RequestRow {
  /** What is special about it. */
  readonly about: string;
  readonly request: JsonObject;
  /** Arguments of calls through `run_forged` afterwards. */
  readonly calls?: readonly JsonObject[];
}

/** With a `__proto__` that is a key like any other, as a text of JSON has it. */
const jsObject = JSON.parse(
  '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 2}}, "prototype": [3]}',
) as JsonObject;
const number = { type: "number" };
const text = { type: "string" };

/** As its documentation has it, word for word. */
const addNumbers: JsonObject = {
  name: "add_numbers",
  description: "Add two numbers together.",
  inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
  outputSchema: { type: "object", properties: { sum: { type: "number" } } },
  implementation: {
    mode: "sandbox",
    code: "function execute(input) { return { sum: input.a + input.b }; }",
    allowlist: [],
  },
  testCases: [{ input: { a: 2, b: 3 }, expectedOutput: { sum: 5 } }],
};

export const good: readonly RequestRow[] = [
  {
    about: "the request of the documentation",
    request: addNumbers,
    calls: [{ a: 1, b: 2 }, { a: "one" }, { a: 1, c: 2 }],
  },
  {
    about: "JSON as text, a synonym of the mode, schemas from the test cases",
    request: {
      name: "slugify",
      description: "Turn a title into a slug.",
      implementation: JSON.stringify({
        mode: "javascript",
        code: "return input.title.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean).join('-');",
      }),
      testCases: JSON.stringify([
        { input: { title: "Hello, World" }, expectedOutput: "hello-world" },
        { input: { title: " a  b " }, expected_output: "a-b" },
      ]),
    },
    calls: [{ title: "Ünïcode & Co" }, {}],
  },
  {
    about: "keys that every object of JavaScript has are data, in values, results and other tools",
    request: {
      name: "slugify",
      description: "Return the value twice.",
      outputSchema: {},
      implementation: {
        mode: "compose",
        steps: [
          { name: "constructor", tool: "run_show", inputMapping: { value: "$input.value", all: {} } },
          {
            name: "__proto__",
            tool: "run_show",
            inputMapping: { value: "$steps.constructor.value", all: jsObject },
          },
        ],
      },
      testCases: [{ input: { value: jsObject }, expectedOutput: { value: jsObject, all: jsObject } }],
    },
    calls: [{ value: jsObject }, JSON.parse('{"value": {}, "__proto__": {}}') as JsonObject],
  },
  {
    about: "TypeScript, and constraints in the schema",
    request: {
      name: "percentile",
      description: "The nth percentile of numbers, by nearest rank.",
      inputSchema: {
        type: "object",
        properties: {
          values: { type: "array", items: number, minItems: 1, description: "The numbers" },
          n: { type: "integer", minimum: 1, maximum: 100, default: 50 },
        },
        required: ["values"],
      },
      outputSchema: number,
      implementation: {
        mode: "typescript",
        code: "type Input = { values: number[]; n: number };\nexport_ = 0;\nfunction execute({ values, n }: Input): number {\n  const sorted: number[] = [...values].sort((a, b) => a - b);\n  return sorted[Math.ceil((n / 100) * sorted.length) - 1]!;\n}".replace(
          "export_ = 0;\n",
          "",
        ),
      },
      testCases: [
        { input: { values: [3, 1, 2] }, expectedOutput: 2 },
        { input: { values: [3, 1, 2], n: 100 }, expectedOutput: 3 },
        { input: { values: [5], n: 1 }, expectedOutput: 5 },
      ],
    },
    calls: [{ values: [10, 20, 30, 40], n: 25 }, { values: [] }, { values: [1], n: 101 }],
  },
  {
    about: "nested objects and a choice",
    request: {
      name: "format_name",
      description: "Format a person's name.",
      inputSchema: {
        type: "object",
        properties: {
          person: {
            type: "object",
            properties: { first: text, last: { type: "string", minLength: 1 } },
            required: ["last"],
          },
          style: { type: "string", enum: ["formal", "short"] },
        },
        required: ["person", "style"],
      },
      outputSchema: { type: "object", properties: { name: text }, required: ["name"] },
      implementation: {
        mode: "code",
        code: "const { first, last } = input.person;\nreturn { name: input.style === 'formal' ? `${last}, ${first ?? '—'}` : last };",
      },
      testCases: [
        {
          input: { person: { first: "Ada", last: "Lovelace" }, style: "formal" },
          expectedOutput: { name: "Lovelace, Ada" },
        },
        { input: { person: { last: "Lovelace" }, style: "short" }, expectedOutput: { name: "Lovelace" } },
      ],
    },
    calls: [
      { person: { last: "Turing" }, style: "formal" },
      { person: { last: "x", age: 3 }, style: "short" },
    ],
  },
  {
    about: "steps: whole values, parts of steps by name and by number, text, a list, a dollar sign",
    request: {
      name: "file_note",
      description: "Write a note about a file.",
      implementation: {
        mode: "pipeline",
        steps: [
          { name: "sum", tool: "run_sum", inputMapping: { numbers: "$input.numbers" } },
          {
            name: "note",
            tool: "todo_write",
            inputMapping: {
              todos: [
                {
                  content: "${input.label}: {total} $$${input.price} is ${steps.sum.total}, ${steps[0].count} of them",
                  status: "pending",
                },
              ],
            },
          },
        ],
      },
      testCases: [
        {
          input: { label: "prices", price: 3, numbers: [1, 2] },
          expectedOutput: "[ ] prices: {total} $3 is 3, 2 of them\n0 of 1 done",
        },
        {
          input: { label: "none", price: 0, numbers: [] },
          expectedOutput: "[ ] none: {total} $0 is 0, 0 of them\n0 of 1 done",
        },
      ],
    },
    calls: [{ label: "more {label} $input.label", price: 1, numbers: [5, 6, 7] }],
  },
  {
    about: "steps: `$prev`, a part of it, and `$input` as a whole",
    request: {
      name: "sum_of_sums",
      description: "Sum, and sum again with the first sum.",
      implementation: {
        mode: "chain",
        steps: [
          { tool: "run_sum", inputMapping: { numbers: "$input.numbers" } },
          { tool: "run_sum", input_mapping: { numbers: ["$prev.total", 1, "$input.extra"] } },
          { name: "shown", tool: "run_show", inputMapping: { value: "$prev", all: "$input" } },
        ],
      },
      testCases: [
        {
          input: { numbers: [1, 2], extra: 4 },
          expectedOutput: { value: { total: 8, count: 3 }, all: { numbers: [1, 2], extra: 4 } },
        },
        {
          input: { numbers: [], extra: 0 },
          expectedOutput: { value: { total: 1, count: 3 }, all: { numbers: [], extra: 0 } },
        },
      ],
    },
    calls: [{ numbers: [10], extra: 100 }],
  },
  {
    about: "steps with a condition",
    request: {
      name: "sum_if_wanted",
      description: "Sum numbers if wanted.",
      implementation: {
        mode: "compose",
        steps: [
          { name: "sum", tool: "run_sum", inputMapping: { numbers: "$input.numbers" } },
          {
            name: "again",
            tool: "run_sum",
            inputMapping: { numbers: ["$steps.sum.total"] },
            condition: '$input.mode == "again" && $steps.sum.total > 2',
          },
        ],
      },
      testCases: [
        { input: { numbers: [1, 2], mode: "again" }, expectedOutput: { total: 3, count: 1 } },
        { input: { numbers: [1, 1], mode: "again" }, expectedOutput: { total: 2, count: 2 } },
        { input: { numbers: [1, 2], mode: "once" }, expectedOutput: { total: 3, count: 2 } },
      ],
    },
    calls: [{ numbers: [1, 2], mode: 'once" || "a" == "a' }],
  },
  {
    about: "a file of the project, a hash, and another tool, each on the list",
    request: {
      name: "file_facts",
      description: "Facts of a text file.",
      implementation: {
        mode: "sandbox",
        code: "const text = await fs.readFile(input.path);\nconst { total } = await tools.call('run_sum', { numbers: text.trim().split('\\n').map(Number) });\nreturn { hash: (await crypto.hash('sha256', text)).slice(0, 8), total };",
        allowlist: ["fs.readFile", "crypto", "tools.call(run_sum)"],
      },
      testCases: [
        { input: { path: "numbers.txt" }, expectedOutput: { hash: "14c5e74c", total: 6 } },
        { input: { path: "./numbers.txt" }, expectedOutput: { hash: "14c5e74c", total: 6 } },
      ],
    },
    calls: [
      { path: "numbers.txt" },
      { path: "missing.txt" },
      { path: "../outside.txt" },
      { path: "home/.ssh/id_ed25519" },
    ],
  },
  {
    about: "a random id, which a run that is repeated repeats, and a clock that stands still",
    request: {
      name: "shape_of_id",
      description: "Whether a fresh id looks like one.",
      implementation: {
        mode: "sandbox",
        code: "const [one, other] = [await crypto.randomUUID(), await crypto.randomUUID()];\nreturn { isId: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(one), differ: one !== other, still: input.at !== 0 || Date.now() === Date.now(), year: new Date(input.at).getUTCFullYear() };",
        allowlist: ["crypto"],
      },
      testCases: [
        { input: { at: 0 }, expectedOutput: { isId: true, differ: true, still: true, year: 1970 } },
        { input: { at: 86400000 } },
      ],
    },
    // A call has the clock that runs.
    calls: [{ at: 86400000 }],
  },
  {
    about: "a name that was used before in the session is replaced",
    request: {
      ...addNumbers,
      description: "Add two numbers, rounded.",
      implementation: { mode: "sandbox", code: "return { sum: Math.round(input.a + input.b) };", allowlist: [] },
      testCases: [
        { input: { a: 2, b: 3 }, expectedOutput: { sum: 5 } },
        { input: { a: 0.1, b: 0.2 }, expectedOutput: { sum: 0 } },
      ],
    },
    calls: [{ a: 1.4, b: 1.4 }],
  },
  {
    about: "a result of any shape, and a failure in use",
    request: {
      name: "parse_or_fail",
      description: "Parse JSON.",
      inputSchema: { type: "object", properties: { text }, required: ["text"] },
      outputSchema: {},
      implementation: { mode: "sandbox", code: "return JSON.parse(input.text);" },
      testCases: [
        { input: { text: "[1]" }, expectedOutput: [1] },
        { input: { text: '{"a": null}' }, expectedOutput: { a: null } },
        { input: { text: "null" }, expectedOutput: null },
      ],
    },
    calls: [{ text: "3" }, { text: "{" }],
  },
];

const twoCases = [
  { input: { a: 1, b: 2 }, expectedOutput: { sum: 3 } },
  { input: { a: 2, b: 2 }, expectedOutput: { sum: 4 } },
];
const withCode = (name: string, code: string, more: JsonObject = {}): JsonObject => ({
  ...addNumbers,
  name,
  implementation: { mode: "sandbox", code, ...more },
  testCases: twoCases,
});
const withSteps = (name: string, ...steps: readonly JsonObject[]): JsonObject => ({
  name,
  description: "Steps.",
  implementation: { mode: "compose", steps },
  testCases: [{ input: { a: "x" }, expectedOutput: "x" }],
});
const withSchema = (name: string, inputSchema: JsonObject): JsonObject => ({
  ...addNumbers,
  name,
  inputSchema,
  testCases: twoCases,
});

export const bad: readonly RequestRow[] = [
  { about: "code that is of another language", request: withCode("x60", "def execute(input):\n  return input") },
  { about: "code that returns nothing", request: withCode("x61", "(input) => input.a + input.b") },
  {
    about: "no implementation",
    request: { name: "x1", description: "No code.", implementation: {}, testCases: twoCases },
  },
  { about: "an unknown mode", request: { ...addNumbers, name: "x2", implementation: { mode: "pyton", code: "1" } } },
  {
    about: "JSON as text that is nested too deep",
    request: {
      ...addNumbers,
      name: "x2b",
      testCases: `[{"input": {"a": ${"[".repeat(60_000)}${"]".repeat(60_000)}}, "expectedOutput": 1}]`,
    },
  },
  { about: "no test cases", request: { ...addNumbers, name: "x3", testCases: [] } },
  { about: "nothing is expected", request: { ...addNumbers, name: "x4", testCases: [{ input: { a: 1, b: 1 } }] } },
  { about: "a name that is none", request: { ...addNumbers, name: "rm -rf" } },
  { about: "the name of a person's tool", request: { ...addNumbers, name: "run_sum" } },
  { about: "the name of a base tool", request: { ...addNumbers, name: "read_file" } },
  { about: "a name that is taken for a base tool's", request: { ...addNumbers, name: "Run_Command" } },
  { about: "a name that is taken for a person's tool", request: { ...addNumbers, name: "runSum" } },
  {
    about: "the same as another under a new name",
    request: { ...withCode("add_again", "return { sum: Math.round(input.a + input.b) };") },
  },
  {
    about: "code that cannot be read",
    request: withCode("x5", "function execute(input) { return { sum: input.a + ; }"),
  },
  { about: "a wrong result", request: withCode("x6", "return { sum: input.a - input.b };") },
  {
    about: "a result that does not fit the schema",
    request: withCode("x7", "return { sum: String(input.a + input.b) };"),
  },
  { about: "code that throws", request: withCode("x8", "throw new TypeError('no');") },
  {
    about: "a result by chance",
    request: {
      ...withCode("x9", "return { sum: Math.random() };"),
      testCases: [
        { input: { a: 1, b: 2 } },
        { input: { a: 1, b: 2 } },
        { input: { a: 0, b: 0 }, expectedOutput: { sum: 1 } },
      ],
    },
  },
  {
    about: "a result by the clock",
    request: {
      ...withCode("x10", "return { sum: new Date().getUTCFullYear() };"),
      testCases: [{ input: { a: 1, b: 2 } }, { input: { a: 0, b: 0 }, expectedOutput: { sum: 2024 } }],
    },
  },
  { about: "a loop without end", request: withCode("x11", "for (;;);") },
  {
    about: "memory without end",
    request: withCode("x12", "const kept = []; for (;;) kept.push(new Array(1000).fill(kept.length));"),
  },
  { about: "an unknown tool", request: withSteps("x13", { tool: "run_sums", inputMapping: {} }) },
  {
    about: "an unknown input",
    request: withSteps("x14", { tool: "run_show", inputMapping: { value: "$input.b", all: {} } }),
  },
  {
    about: "a step that does not exist",
    request: withSteps("x15", { name: "one", tool: "run_show", inputMapping: { value: "$steps.two.x", all: {} } }),
  },
  {
    about: "`$prev` in the first step",
    request: withSteps("x16", { tool: "run_show", inputMapping: { value: "$prev", all: {} } }),
  },
  {
    about: "a parameter that the tool does not have",
    request: withSteps("x17", { tool: "run_show", inputMapping: { valeu: "$input.a", value: "$input.a", all: {} } }),
  },
  { about: "a parameter that is missing", request: withSteps("x18", { tool: "run_sum", inputMapping: {} }) },
  {
    about: "a condition that cannot be read",
    request: withSteps("x19", {
      tool: "run_show",
      inputMapping: { value: "$input.a", all: {} },
      condition: "$input.a ===",
    }),
  },
  {
    about: "a value that would be a part of a program",
    request: withSteps("x20", { tool: "run_command", inputMapping: { command: "echo ${input.a}" } }),
  },
  {
    about: "a command that nobody allowed",
    request: withSteps("x21", { tool: "run_command", inputMapping: { argv: ["touch", "canary"] } }),
  },
  {
    about: "effects that are wider than declared",
    request: {
      ...withSteps("x22", { tool: "write_file", inputMapping: { file_path: "canary", content: "$input.a" } }),
      effects: ["read"],
    },
  },
  {
    about: "a file that nobody allowed",
    request: withSteps("x23", { tool: "write_file", inputMapping: { file_path: "canary", content: "$input.a" } }),
  },
  { about: "`fetch` without a host", request: withCode("x24", "return 1;", { allowlist: ["fetch"] }) },
  {
    about: "a function that the sandbox does not have",
    request: withCode("x25", "return 1;", { allowlist: ["child_process"] }),
  },
  { about: "a tool that makes tools", request: withCode("x26", "return 1;", { allowlist: ["tools.call forge_tool"] }) },
  {
    about: "a union of types",
    request: withSchema("x27", { type: "object", properties: { a: { type: ["number", "null"] }, b: number } }),
  },
  {
    about: "a constraint that no parameter has",
    request: withSchema("x28", { type: "object", properties: { a: { type: "number", multipleOf: 5 }, b: number } }),
  },
  {
    about: "a property whose name is none",
    request: withSchema("x29", { type: "object", properties: { "a b": number } }),
  },
  ...["__proto__", "constructor", "prototype"].flatMap((key, index): readonly RequestRow[] => {
    const named = (value: Json): JsonObject =>
      JSON.parse(`{"a": ${JSON.stringify(value)}, "${key}": ${JSON.stringify(value)}}`) as JsonObject;
    return [
      {
        about: `an input called \`${key}\``,
        request: {
          ...withCode(`x4${index}`, "return { sum: 3 };"),
          inputSchema: {},
          testCases: [{ input: named(1), expectedOutput: { sum: 3 } }],
        },
      },
      {
        about: `a property called \`${key}\``,
        request: withSchema(`x5${index}`, { type: "object", properties: named(number) }),
      },
    ];
  }),
  { about: "arguments that are a list", request: withSchema("x30", { type: "array", items: number }) },
  {
    about: "a host that is not on the list",
    request: {
      ...withCode("x31", "return { sum: (await fetch('http://127.0.0.1:9/')).status };", {
        allowlist: ["fetch api.example.com"],
      }),
    },
  },
];
