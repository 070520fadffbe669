// A description is read as it is meant: as a comment, below a heading, below the line that starts a script.
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { toolText } from "../../src/core/language/write/tool-text.ts";
import type { ToolDefinition } from "../../src/core/tool/definition.ts";
import { assert, suite } from "../harness.ts";

const test = suite("plain description");

function definitionOf(text: string): ToolDefinition {
  const { value, diagnostics } = analyzeToolFile(parseToolFile({ path: "say-hi.tool", text }));
  if (!value) throw new Error(diagnostics.map(({ message }) => message).join());
  return value;
}

const rows: readonly (readonly [written: string, title: string, description: string])[] = [
  ["Say hi.\n", "Say Hi", "Say hi."],
  ["# Greets\nSay hi.\n\nTo all.\n", "Greets", "Say hi.\n\nTo all."],
  ["## Greets ##\n\nSay hi.\n# More\nx\n", "Greets", "Say hi.\n# More\nx"],
  ["# Say hi.\n", "Say Hi", "Say hi."],
  ["# Say hi.\n# To all.\n#\n#   - one\n", "Say Hi", "Say hi.\nTo all.\n\n  - one"],
  ["// Say hi.\n// To all.\n", "Say Hi", "Say hi.\nTo all."],
  ["#!/usr/bin/env dottool\n\nSay hi.\n", "Say Hi", "Say hi."],
  ["#!/usr/bin/env dottool\n# Say hi.\n", "Say Hi", "Say hi."],
  ["#tag is a word\n", "Say Hi", "#tag is a word"],
  ["Say hi.\n# To all\n", "Say Hi", "Say hi.\n# To all"],
];

for (const [written, title, description] of rows)
  test(JSON.stringify(written), () => {
    const read = definitionOf(`${written}@name say-hi\n@command echo hi\n`);
    assert.equal([read.title, read.description], [title, description]);
  });

test("a long first line is read once", () => {
  const written = `# ${"#".repeat(60_000)}x`;
  assert.is(definitionOf(`${written}\nSay hi.\n@name say-hi\n@command echo hi\n`).description, "Say hi.");
});

test("a text that would be read as a comment is written where it is not", () => {
  const read = definitionOf("@name say-hi\n@description\n    # Greets\n    Say hi.\n@command echo hi\n");
  assert.is(read.description, "# Greets\nSay hi.");
  assert.is(definitionOf(toolText(read)).description, read.description);
});

test.run();
