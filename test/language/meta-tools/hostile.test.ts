// Untrusted meta-tool YAML: any text gives a definition or diagnostics with places, and no value becomes program text.
import fc from "fast-check";
import { analyzeYamlFile } from "../../../src/features/yaml/analyze.ts";
import { lines } from "../../lines.ts";
import { assert, suite } from "../../harness.ts";
import { withSteps } from "../../steps/steps-fixture.ts";
import { wordList } from "../../lines.ts";

const test = suite("hostile meta-tools");

function said(text: string): readonly string[] {
  return analyzeYamlFile({ path: "t.yaml", text }).diagnostics.map(({ code, message }) => `${code}: ${message}`);
}

const keys = wordList(`
  name description version category tags arguments dependencies steps output type tool input args output_var
  provider prompt code language flag variable default required choices __proto__ constructor
`);
const scalar = fc.oneof(
  fc.constantFrom(
    "tool",
    "prompt",
    "code",
    "x",
    "{x}",
    "{x.json.y}",
    "{input}",
    "--x",
    "official/x@^1.0.0",
    "a, b",
    '""',
    "~",
    "true",
    "1e400",
    "{{",
    "}}",
  ),
  fc.string({ maxLength: 12 }).map((text) => JSON.stringify(text)),
);
const { node } = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie("node"), { maxLength: 4 }).map((items) => `[${items.join(", ")}]`),
    fc
      .array(fc.tuple(fc.constantFrom(...keys), tie("node")), { maxLength: 5 })
      .map((entries) => `{ ${entries.map(([key, value]) => `${key}: ${value}`).join(", ")} }`),
  ),
}));
const metaTool = fc
  .record({
    steps: fc.array(node, { maxLength: 4 }),
    arguments: node,
    output: node,
    other: fc.constantFrom(...keys),
    value: node,
  })
  .map(
    (made) =>
      `name: t\nsteps:\n${made.steps.map((step) => `  - ${step}\n`).join("")}  - { type: prompt, prompt: hi, output_var: last }\narguments: ${made.arguments}\noutput: ${made.output}\n${made.other}: ${made.value}\n`,
  );

test("any text gives a definition or diagnostics whose places are in the text", () => {
  fc.assert(
    fc.property(metaTool, (text) => {
      const { value, diagnostics } = analyzeYamlFile({ path: "t.yaml", text });
      const isSound = !diagnostics.some(({ severity }) => severity === "error");
      return (
        isSound === (value !== undefined) &&
        diagnostics.every(({ at, fix }) =>
          [at?.span, ...(fix?.edits ?? []).map(({ span }) => span)].every(
            (span) => span === undefined || (span.start >= 0 && span.start <= span.end && span.end <= text.length),
          ),
        )
      );
    }),
    { numRuns: 250 },
  );
});

test("every fix leaves text that parses", () => {
  const own = fc.constantFrom(
    ..."prompt: hi|promt: hi|type: promt|output: x|args: { a: b }|tool: a/b|code: x = 1|language: py|output_var: a-b|output_var: x|type: code".split(
      "|",
    ),
  );
  const step = fc
    .tuple(fc.uniqueArray(own, { minLength: 1, maxLength: 5, selector: (row) => row.split(":")[0] }), fc.boolean())
    .map(([rows, isBraced]) => (isBraced ? `  - { ${rows.join(", ")} }` : `  - ${rows.join("\n    ")}`));
  let fixes = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 3 }), (steps) => {
      const text = lines("name: t", "descripton: D", "steps:", ...steps, "output: x");
      const { diagnostics } = analyzeYamlFile({ path: "t.yaml", text });
      return diagnostics.every(({ fix }) => {
        if (!fix) return true;
        fixes++;
        const repaired = fix.edits
          .toSorted((one, other) => other.span.start - one.span.start)
          .reduce((whole, { span, text: better }) => whole.slice(0, span.start) + better + whole.slice(span.end), text);
        return analyzeYamlFile({ path: "t.yaml", text: repaired }).diagnostics.every(
          ({ code }) => code !== "broken-yaml" && code !== "duplicate-key",
        );
      });
    }),
    { numRuns: 200 },
  );
  assert.ok(fixes > 100);
});

test("broken YAML is told with its line, before anything of the format", () => {
  assert.equal(said("name: t\nsteps:\n  - type: prompt\n    prompt: Summarize this: {input}\n    output_var: x\n"), [
    "broken-yaml: text with `: ` in it is read as a key and a value",
  ]);
});

test("names that every object has are keys and variables like any other", () => {
  const text = lines(
    "name: t",
    "description: D",
    "steps:",
    "  - { type: prompt, prompt: hi, output_var: constructor }",
    "  - { type: prompt, prompt: '{constructor}', output_var: __proto__ }",
    "output: '{__proto__}'",
    "toString: x",
  );
  assert.equal(said(text), ["unknown-key: unknown key `toString` in a tool"]);
});

test("a thousand steps are read in a moment", () => {
  const steps = Array.from(
    { length: 1_000 },
    (_, index) => `  - { type: prompt, prompt: "${index === 0 ? "start" : `{v${index - 1}}`}", output_var: v${index} }`,
  );
  assert.equal(said(lines("name: t", "description: D", "steps:", ...steps)), []);
});

const hostile = [
  '\'; touch pwned #"""\nimport os$(touch pwned)`touch pwned`',
  "{word} {{seen}} {} \u2028🙂\\",
  "--help",
];

test("values are data to Python, to tools and to models", async () => {
  const outer = lines(
    "name: outer",
    "description: Pass it on",
    "steps:",
    "  - type: code",
    "    code: seen = input + word",
    "    output_var: seen",
    "  - type: tool",
    "    tool: inner",
    '    input: "{seen}"',
    '    args: { word: "{word}" }',
    "    output_var: told",
    'output: "{seen}|{told}"',
    "arguments:",
    "  - variable: word",
    "    description: W",
  );
  const inner = lines(
    "name: inner",
    "description: Say it",
    "steps:",
    "  - type: code",
    "    language: javascript",
    "    code: return JSON.stringify([input, word])",
    "    output_var: said",
    "arguments:",
    "  - variable: word",
    "    description: W",
  );
  await withSteps(
    {},
    async (bench) => {
      for (const value of hostile) {
        assert.is(
          await bench.said("outer", { input: "a", word: value }),
          `a${value}|${JSON.stringify([`a${value}`, value])}`,
        );
      }
      assert.is(bench.read("pwned"), undefined);
    },
    { ".tools/outer.yaml": outer, ".tools/inner.yaml": inner },
  );
});

test("code that leaves a variable out is told which, however it ends", async () => {
  const tool = (name: string, ...code: readonly string[]): readonly [string, string] => [
    `.tools/${name}.yaml`,
    lines(
      `name: ${name}`,
      "description: D",
      "steps:",
      "  - type: code",
      ...code,
      "    output_var: a, b",
      'output: "{a}{b}"',
    ),
  ];
  const files = Object.fromEntries([
    tool("none", "    code: a = 1"),
    tool("ends", "    code: |", "      import sys", "      a = b = 1", "      sys.exit(0)"),
    tool("script", "    language: javascript", "    code: 'return { b: 1 }'"),
    tool("text", "    language: javascript", "    code: return 'a b'"),
    tool("nothing", "    code: a, b = None, float('nan')"),
  ]);
  await withSteps(
    {},
    async (bench) => {
      assert.equal(await Promise.all(["none", "ends", "script", "text", "nothing"].map((name) => bench.said(name))), [
        "failed[step-failed]: step `a` (`python3`): the code does not set `b`",
        "failed[step-failed]: step `a` (`python3`): the code does not set `a` or `b`",
        "failed[step-failed]: step `a` (`JavaScript`): the code does not set `a`",
        "failed[step-failed]: step `a` (`JavaScript`): the code does not set `a` or `b`",
        "failed[step-failed]: step `a` (`python3`): `python3` ended with exit code 1",
      ]);
    },
    files,
  );
});

test("what is called like a part of every object is read like anything else", async () => {
  const tool = lines(
    "name: t",
    "description: D",
    "steps:",
    "  - { type: code, code: __proto__ = '<' + args + '>', output_var: __proto__ }",
    "  - { type: code, language: javascript, code: 'return valueOf + steps', output_var: toString }",
    "  - { type: tool, tool: inner, args: { word: '{__proto__}', constructor: '{hasOwnProperty}' }, output_var: told }",
    'output: "{__proto__} {toString} {told}"',
    "arguments:",
    "  - { variable: args, description: A }",
    "  - { variable: valueOf, default: v, description: V }",
    "  - { variable: steps, default: s, description: S }",
    "  - { variable: hasOwnProperty, description: H }",
  );
  const inner = lines(
    "name: inner",
    "description: D",
    "steps:",
    "  - { type: code, code: 'told = [word, constructor]', output_var: told }",
    "arguments:",
    "  - { variable: word, description: W }",
    "  - { variable: constructor, description: C }",
  );
  await withSteps(
    {},
    async (bench) => {
      assert.is(await bench.said("t", { args: "1" }), '<1> vs ["<1>", null]');
    },
    { ".tools/t.yaml": tool, ".tools/inner.yaml": inner },
  );
});

test.run();
