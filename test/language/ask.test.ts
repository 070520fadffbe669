// `@ask`: what a person would say, and the call that it should lead to.
import "../windows-shells.ts";
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { formatToolFile } from "../../src/core/language/syntax/format.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { weightOf } from "../../src/core/tool/definition-fields.ts";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";
import { readText, writeText } from "./write/definitions.ts";

const test = suite("ask");

const frame =
  "Count words.\n\n@title Count\n@name count\n@command wc -w -- {file}\n@param file {path} [required] The file\n";
const source = (text: string) => ({ path: "count.tool", text });

test("an ask has a text, and the arguments of a call or none", () => {
  const text = `${frame}@ask how long -> is a? -> {"file": "a"}\n@ask how long\n    is b?\n    → {"file": "b"}\n@ask is it none? → none\n`;
  const { value, diagnostics } = analyzeToolFile(parseToolFile(source(text)));
  assert.equal(
    [value?.asks, diagnostics],
    [
      [
        { text: "how long -> is a?", arguments: { file: "a" } },
        { text: "how long is b?", arguments: { file: "b" } },
        { text: "is it none?" },
      ],
      [],
    ],
  );
});

test("fmt writes one form of the arrow, and changes nothing else", () => {
  const text = `${frame}@ask  a ->  {"file":  "a"}\n@ask b->none\n@ask c\n    ->\n    none\n@ask no -> arrow\n`;
  const written = formatToolFile(parseToolFile(source(text)));
  assert.is(
    written.slice(written.indexOf("@ask")),
    '@ask a → {"file":  "a"}\n@ask b → none\n@ask c →\n    none\n@ask no -> arrow\n',
  );
  assert.is(formatToolFile(parseToolFile(source(written))), written);
});

test("asks are converted to YAML and back", () => {
  const text = `${frame}@ask how long is a? → {"file":"a"}\n@ask is it none? → none\n`;
  const definition = readText("tool", "count.tool", text);
  const yaml = definition ? writeText("yaml", definition) : "";
  assert.match(yaml, '\n  asks: [\'how long is a? → {"file":"a"}\', is it none? → none]\n');
  assert.equal(readText("yaml", "count.yaml", yaml)?.asks, definition?.asks);
});

test("a change of an ask ends no approval", () => assert.is(weightOf("asks"), "apart"));

test("a tool whose asks have changed is still trusted", async () => {
  using bench = testProject({ ".tools/count.tool": `${frame}@ask a → none\n`, a: "b c\n" }, { isTrusted: false });
  bench.trust();
  bench.write(".tools/count.tool", `${frame}@ask what else? → none\n`);
  const { stdout, stderr } = await bench.here(["count", "a"]);
  assert.equal([stdout, stderr], ["2 a\n", ""]);
});

test("the arguments of an ask are checked as those of a call, also those of an alias", async () => {
  using bench = testProject({
    ".tools/count.tool": `${frame}@tags read\n@ask how long is a? → {"flie": "a"}\n`,
    ".tools/look.tool": 'Look into a file.\n\n@name look\n@wrapped read_file\n@ask what is in a? → {"path": "a"}\n',
  });
  const { stdout, stderr, exitCode } = await bench.here(["check"]);
  assert.is(exitCode, 0);
  assert.is(
    stdout + stderr,
    `warning[example-mismatch]: a call with this ask of \`count\` would be refused
  ╭─ .tools/count.tool:8:6
  │
8 │ @ask how long is a? → {"flie": "a"}
  │      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ \`file\`: expected path, got nothing; \`flie\`: \`count\` has no such parameter; did you mean \`file\`?
  ╵
  = fix: use \`file\`

warning[example-mismatch]: a call with this ask of \`look\` would be refused
  ╭─ .tools/look.tool:5:6
  │
5 │ @ask what is in a? → {"path": "a"}
  │      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ \`file_path\`: expected path, got nothing; \`path\`: \`look\` has no such parameter; it has \`file_path\`, \`start_line\`, \`end_line\`, \`find_words\`, \`show_lines\`
  ╵

2 definitions checked: 2 warnings; \`dottool check --fix\` fixes 1
`,
  );
});

test("`check --fix` repairs the name of an argument that is surely meant", async () => {
  using bench = testProject({
    ".tools/count.tool": `${frame}@tags read\n@ask is "flie" long? → {"flie": "a"}\n@ask and b? => {"file": "b"}\n`,
  });
  const { exitCode } = await bench.here(["check", "--fix"]);
  const { stdout } = await bench.here(["check"]);
  assert.equal([exitCode, stdout], [0, "1 definition checked: no problems\n"]);
});

test("no form of declarations says what is asked", async () => {
  using bench = testProject({ ".tools/count.tool": `${frame}@tags read\n@ask how long is a? → {"file": "a"}\n` });
  for (const form of ["openai", "anthropic", "gemini", "mcp", "text", "json-schema"]) {
    const { stdout, exitCode } = await bench.here(["schema", "count", "--for", form]);
    assert.equal([exitCode, stdout.includes("how long")], [0, false], form);
  }
});

test.run();
