// Meta-tools and forge tools as `.tool` files: the same definition, or the part that a `.tool` file cannot express.
import { analyzeToolFile } from "../../../src/core/language/analyze.ts";
import { parseToolFile } from "../../../src/core/language/syntax/parse.ts";
import { CannotWrite } from "../../../src/core/language/write/cannot-write.ts";
import { firstDifference } from "../../../src/core/language/write/same-definition.ts";
import { toolText } from "../../../src/core/language/write/tool-text.ts";
import { analyzeYamlFile } from "../../../src/features/yaml/analyze.ts";
import { lines } from "../../lines.ts";
import { assert, suite } from "../../harness.ts";

const test = suite("YAML formats as .tool files");

function written(...rows: readonly string[]): string {
  const { value, diagnostics } = analyzeYamlFile(
    { path: "t.yaml", text: lines("name: t", "description: D", ...rows) },
    { folder: "/srv/t" },
  );
  if (!value) return diagnostics.map(({ message }) => message).join("; ");
  try {
    const text = toolText(value);
    const again = analyzeToolFile(parseToolFile({ path: "t.tool", text })).value;
    return again ? (firstDifference(value, again) ?? text) : `unreadable: ${text}`;
  } catch (error) {
    if (error instanceof CannotWrite) return error.message;
    throw error;
  }
}

test("a meta-tool is a .tool file of steps", () => {
  const text = written(
    "version: 1.2.0",
    "dependencies: [official/a@^1.0.0]",
    "steps:",
    "  - type: tool",
    "    tool: official/a",
    '    input: "{input}"',
    '    args: { n: "7", words: [x, "{word}"] }',
    "    output_var: one",
    "  - type: prompt",
    "    prompt: |",
    '      Say "{one}" {{twice}}',
    "    provider: mock",
    "    output_var: two",
    "  - type: code",
    "    code: three = two * 2",
    "    output_var: three",
    'output: "{three}"',
    "arguments:",
    "  - variable: word",
    "    choices: [a, b]",
    "    default: a",
    "    description: W",
  );
  assert.is(
    text.slice(text.indexOf("@step")),
    lines(
      "@step one uses official/a",
      "    input = {input}",
      "    n = 7",
      '    words = ["x","{word}"]',
      "@step two prompt [provider=mock]",
      '    Say "{one}" {{twice}}',
      "@step three python",
      "    three = two * 2",
      "@output",
      "    {three}",
      '@param word {"a"|"b"} [default="a"] W',
      "@depends official/a@^1.0.0",
      "@version 1.2.0",
    ),
  );
});

test("what a .tool file has no words for is told", () => {
  assert.is(
    written("entrypoint: run", "parameters:", "  - { name: list, type: array, description: L }"),
    "cannot write a list that is one word, as JSON",
  );
});

test("what only meta-tools say of steps are options of a step", () => {
  const text = written(
    "steps:",
    "  - { type: tool, tool: a, output_var: x }",
    '  - { type: tool, tool: a, input: "{x}", provider: mock, output_var: y }',
    '  - { type: code, code: z = w = 1, output_var: "z, w" }',
    'output: "{w}"',
  );
  assert.is(
    text.slice(text.indexOf("@step"), text.indexOf("@output")),
    lines(
      "@step x uses a [optional=input]",
      "    input = {input}",
      "@step y uses a [provider=mock]",
      "    input = {x}",
      "@step z python [leaves=z,w]",
      "    z = w = 1",
    ),
  );
});

test("the flag of an argument is an option of its parameter", () => {
  const text = written(
    "steps:",
    '  - { type: prompt, prompt: "{x}", output_var: y }',
    "arguments:",
    "  - { variable: x, flag: --the-x, description: X }",
  );
  assert.ok(text.includes("@param x {string} [option=the-x] X\n"), text);
});

test("a forge tool is a .tool file with a command", () => {
  const text = written(
    "entrypoint: bin/run",
    "parameters:",
    "  - { name: all, type: boolean, description: A }",
    "  - { name: count, type: number, default: 3, description: C }",
  );
  assert.is(
    text,
    lines(
      "D",
      "",
      "@title T",
      "@name t",
      "@wrapped run_command",
      "@command /srv/t/bin/run {all} {count}",
      '@param all {boolean} [flag="--all={value}"] A',
      '@param count {number} [default=3, flag="--count={value}"] C',
    ),
  );
});

test.run();
