// grammar/README.md is true: its files are definitions in the canonical layout, and its message is the real one.
import "../windows-shells.ts";
import { readFileSync } from "node:fs";
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { formatToolFile } from "../../src/core/language/syntax/format.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { renderDiagnostic } from "../../src/cli/view/render.ts";
import { assert, suite } from "../harness.ts";

const test = suite("grammar/README.md");
const readme = readFileSync(new URL("../../grammar/README.md", import.meta.url), "utf8");

function blocks(kind: string): readonly string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${kind}\n([^]*?)^\`\`\`$`, "gm"))].map((found) => found[1] ?? "");
}

function fileOf(text: string): ReturnType<typeof parseToolFile> {
  return parseToolFile({ path: `.tools/${/^@name (\w+)$/m.exec(text)?.[1] ?? ""}.tool`, text });
}

const tools = blocks("tool");

test("grammar/README.md shows tools", () => assert.is(tools.length, 18));

const overMcp = blocks("tool-over-mcp");

test("grammar/README.md shows a tool over an MCP server", () => assert.is(overMcp.length, 1));

for (const text of [...tools, ...overMcp]) {
  const file = fileOf(text);
  const name = file.annotations.find((annotation) => annotation.keyword === "name")?.text.text;
  test(`grammar/README.md: ${name} is a definition without a complaint`, () => {
    const said = analyzeToolFile(file).diagnostics.map((diagnostic) => renderDiagnostic(diagnostic));
    assert.equal(said, []);
  });
  test(`grammar/README.md: ${name} is laid out as fmt does it`, () => assert.is(formatToolFile(file), text));
}

test("grammar/README.md: the file with mistakes has the message that follows it", () => {
  const said = blocks("tool-with-mistakes").map((text) =>
    analyzeToolFile(fileOf(text))
      .diagnostics.map((diagnostic) => `${renderDiagnostic(diagnostic)}\n`)
      .join("\n"),
  );
  assert.equal(said, blocks("text"));
});

test.run();
