// Meta-tool YAML of strangers: any text gives a definition or diagnostics with places, and no value becomes program text.
import fc from "fast-check";
import { analyzeYamlFile } from "../../../src/language/yaml/analyze.ts";
import { lines } from "../../../src/text/code-pages/page.ts";
import { assert, suite } from "../../harness.ts";
import { withSteps } from "../../steps/steps-bench.ts";

const test = suite("hostile meta-tools");

function said(text: string): readonly string[] {
  return analyzeYamlFile({ path: "t.yaml", text }).diagnostics.map(({ code, message }) => `${code}: ${message}`);
}

const keys = ["name", "description", "version", "category", "tags", "arguments", "dependencies", "steps", "output", "type", "tool", "input", "args", "output_var", "provider", "prompt", "code", "language", "flag", "variable", "default", "required", "choices", "__proto__", "constructor"];
const scalar = fc.oneof(fc.constantFrom("tool", "prompt", "code", "x", "{x}", "{x.json.y}", "{input}", "--x", "official/x@^1.0.0", "a, b", '""', "~", "true", "1e400", "{{", "}}"), fc.string({ maxLength: 12 }).map((text) => JSON.stringify(text)));
const { node } = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof({ maxDepth: 4 }, scalar, fc.array(tie("node"), { maxLength: 4 }).map((items) => `[${items.join(", ")}]`), fc.array(fc.tuple(fc.constantFrom(...keys), tie("node")), { maxLength: 5 }).map((entries) => `{ ${entries.map(([key, value]) => `${key}: ${value}`).join(", ")} }`)),
}));
const metaTool = fc.record({ steps: fc.array(node, { maxLength: 4 }), arguments: node, output: node, other: fc.constantFrom(...keys), value: node }).map((made) => `name: t\nsteps:\n${made.steps.map((step) => `  - ${step}\n`).join("")}  - { type: prompt, prompt: hi, output_var: last }\narguments: ${made.arguments}\noutput: ${made.output}\n${made.other}: ${made.value}\n`);

test("any text gives a definition or diagnostics whose places are in the text", () => {
  fc.assert(fc.property(metaTool, (text) => {
    const { value, diagnostics } = analyzeYamlFile({ path: "t.yaml", text });
    const isSound = !diagnostics.some(({ severity }) => severity === "error");
    return isSound === (value !== undefined) && diagnostics.every(({ at, fix }) => [at?.span, ...(fix?.edits ?? []).map(({ span }) => span)].every((span) => span === undefined || (span.start >= 0 && span.start <= span.end && span.end <= text.length)));
  }), { numRuns: 250 });
});

test("broken YAML is told with its line, before anything of the format", () => {
  assert.equal(said("name: t\nsteps:\n  - type: prompt\n    prompt: Summarize this: {input}\n    output_var: x\n"), ["broken-yaml: a text that holds `: ` is read as a key and its value"]);
});

test("names that every object has are keys and variables like any other", () => {
  const text = lines("name: t", "description: D", "steps:", "  - { type: prompt, prompt: hi, output_var: constructor }", "  - { type: prompt, prompt: '{constructor}', output_var: __proto__ }", "output: '{__proto__}'", "toString: x");
  assert.equal(said(text), ["unknown-key: a tool has no `toString`"]);
});

test("a thousand steps are read in a moment", () => {
  const steps = Array.from({ length: 1_000 }, (_, index) => `  - { type: prompt, prompt: "${index === 0 ? "start" : `{v${index - 1}}`}", output_var: v${index} }`);
  assert.equal(said(lines("name: t", "description: D", "steps:", ...steps)), []);
});

const hostile = ["'; touch pwned #\"\"\"\nimport os$(touch pwned)`touch pwned`", "{word} {{seen}} {} \u2028🙂\\", "--help"];

test("values are data to Python, to tools and to models", async () => {
  const outer = lines(
    "name: outer", "description: Pass it on", "steps:",
    "  - type: code", "    code: seen = input + word", "    output_var: seen",
    "  - type: tool", "    tool: inner", '    input: "{seen}"', '    args: { word: "{word}" }', "    output_var: told",
    'output: "{seen}|{told}"', "arguments:", "  - variable: word", "    description: W",
  );
  const inner = lines("name: inner", "description: Say it", "steps:", "  - type: code", "    language: javascript", "    code: return JSON.stringify([input, word])", "    output_var: said", "arguments:", "  - variable: word", "    description: W");
  await withSteps({}, async (bench) => {
    for (const value of hostile) {
      assert.is(await bench.said("outer", { input: "a", word: value }), `a${value}|${JSON.stringify([`a${value}`, value])}`);
    }
    assert.is(bench.read("pwned"), undefined);
  }, { ".tools/outer.yaml": outer, ".tools/inner.yaml": inner });
});

test("code that leaves a variable out is told which", async () => {
  const tool = lines("name: t", "description: D", "steps:", "  - type: code", "    code: a = 1", "    output_var: a, b, c");
  await withSteps({}, async (bench) => {
    const result = await bench.call("t");
    assert.match(await bench.said("t"), /step `a` \(`python3`\): `python3` ended with exit code 1/);
    assert.ok(bench.events.some((event) => event.kind === "output" && event.stream === "stderr" && new TextDecoder().decode(event.bytes) === "the code sets no variable b, c\n"), JSON.stringify(result));
  }, { ".tools/t.yaml": tool });
});

test.run();
