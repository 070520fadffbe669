// Properties of every text that ends in `.yaml`.
import fc from "fast-check";
import { unicodeText } from "../../arbitrary-text.ts";
import { parseDocument } from "yaml";
import { applyFixes } from "../../../src/core/text/apply-fixes.ts";
import { analyzeYamlFile } from "../../../src/features/yaml/analyze.ts";
import { hasErrors } from "../../../src/core/text/diagnostic.ts";
import { renderDiagnostic } from "../../../src/cli/view/render.ts";
import { assert, assertLinear, suite } from "../../harness.ts";
import { wordList } from "../../lines.ts";

const test = suite("analyzeYamlFile properties");

const keys = wordList(`
  name description bash run script shell commands default platforms steps parameters environment variables
  security file-paths metadata resources cleanup interactive type base-tool tests expected tags timeout input
  use-tool with wait-for run-condition output validation pattern entrypoint arguments prompt << A __proto__
  constructor
`);
const values = [
  "t",
  "1",
  "true",
  "~",
  "",
  "{A}",
  "[a, b]",
  "{a: b}",
  "&x",
  "*x",
  "!!str 1",
  "|",
  ">-",
  '"a\\n{A}"',
  "'it''s {A}'",
  "a: b",
  "# c",
  "- a",
  "{RAW:A}",
  "echo {A} | wc",
  "{step.output}",
  "\t",
  "---",
  "...",
  "2024-01-01",
  "0x1f",
  ".inf",
  "alias",
  "é😀",
  "%",
  "@a",
  "`",
];
const line = fc
  .tuple(
    fc.constantFrom("", "  ", "    ", "      ", "\t", "- ", "  - "),
    fc.constantFrom(...keys),
    fc.constantFrom(": ", ":", " ", ": &x ", ": !t "),
    fc.constantFrom(...values),
  )
  .map((parts) => parts.join(""));
const yamlLike = fc
  .array(fc.oneof({ weight: 5, arbitrary: line }, { weight: 1, arbitrary: fc.string() }), { maxLength: 14 })
  .map((lines) => lines.join("\n"));
const anyText = fc.oneof({ weight: 4, arbitrary: yamlLike }, { weight: 1, arbitrary: unicodeText() });

function analyzed(text: string): ReturnType<typeof analyzeYamlFile> {
  return analyzeYamlFile({ path: "t.yaml", text });
}

function mistakes(text: string): number {
  const { errors, warnings } = parseDocument(text, { uniqueKeys: false, logLevel: "error" });
  return errors.length + warnings.length;
}

test("analyzeYamlFile accepts every text, and says why there is no definition", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { value, diagnostics } = analyzed(text);
      assert.is(value !== undefined, !hasErrors(diagnostics));
      for (const diagnostic of diagnostics) {
        const { span } = diagnostic.at ?? { span: { start: -1, end: -1 } };
        assert.ok(
          span.start >= 0 && span.start <= span.end && span.end <= text.length,
          `${span.start} to ${span.end} of ${text.length}`,
        );
        renderDiagnostic(diagnostic);
      }
    }),
    { numRuns: 150 },
  );
});

test("analyzeYamlFile: a fix takes away what it is offered for", () => {
  fc.assert(
    fc.property(yamlLike, (text) => {
      const { diagnostics } = analyzed(text);
      for (const diagnostic of diagnostics.filter(({ code, fix }) => fix && code === "broken-yaml")) {
        const { source } = diagnostic.fix?.edits[0]?.span ?? { source: { path: "", text: "" } };
        const after = applyFixes(source, [diagnostic]);
        assert.ok(mistakes(after) < mistakes(text), after);
      }
    }),
    { numRuns: 150 },
  );
});

test("analyzeYamlFile reads CRLF and a byte order mark like LF", () => {
  const text =
    "name: t\ndescription: >\n  Folded\n  text\nbash: |\n  echo {A}\n  echo b\nparameters:\n  A:\n    description: D\n";
  const plain = ({ value }: ReturnType<typeof analyzeYamlFile>): unknown =>
    value?.kind === "wrapped" && [value.name.value, value.description, value.commands];
  assert.equal(plain(analyzed(text)), plain(analyzed(text.replaceAll("\n", "\r\n"))));
  assert.equal(plain(analyzed(text)), plain(analyzed(`\uFEFF${text}`)));
});

for (const [what, text] of [
  ["brackets", `a: ${"[".repeat(50_000)}`],
  ["maps", Array.from({ length: 2_000 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")],
  ["closed brackets", `name: t\ntags: ${"[".repeat(5_000)}${"]".repeat(5_000)}`],
] as const) {
  test(`analyzeYamlFile refuses ${what} that nest without end`, () =>
    assert.is(hasErrors(analyzed(text).diagnostics), true));
}

test("analyzeYamlFile tells of a line with many mistakes once, in time linear to it", () => {
  assertLinear("a line of YAML", 10_000, (length) => {
    const { diagnostics } = analyzed(`a: ${"&a ".repeat(length)}1`);
    assert.equal(
      diagnostics.map(({ code }) => code),
      ["broken-yaml"],
    );
  });
});

test("analyzeYamlFile refuses more values than a definition has", () => {
  const { diagnostics } = analyzed(`name: t\ndescription: D\nbash: echo\ntags: [${"a, ".repeat(30_000)}a]\n`);
  assert.equal(
    diagnostics.map(({ code }) => code),
    ["too-large"],
  );
});

test.run();
