// Tools of MCP servers in definitions: names that can be written, their layout, and the way to YAML and back.
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { formatToolFile } from "../../src/core/language/syntax/format.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { underlyingTools } from "../../src/core/tool/definition.ts";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("language: tools of MCP servers");

function basesOf(text: string): readonly string[] {
  const { value, diagnostics } = analyzeToolFile(parseToolFile({ path: "t.tool", text }));
  return value ? underlyingTools(value) : diagnostics.map(({ message }) => message);
}

test("readBase takes names as servers write them", () => {
  const names = ["mcp:github/search_issues", "mcp:my-server_2/get.thing", "mcp:a/files/read-text"];
  assert.equal(
    names.map((name) => basesOf(`@name t\n@wrapped ${name}\n`)),
    names.map((name) => [name]),
  );
});

test("readBase says what a name lacks", () => {
  const names = ["mcp:github", "mcp:/search", "mcp:github/", "mcp:git hub/x", "mcp:a/b c"];
  assert.equal(
    names.map((name) => basesOf(`@name t\n@wrapped ${name}\n`)),
    names.map((name) => [`\`${name}\` is not a valid tool name`]),
  );
});

const texts = {
  alias: "Search.\n\n@title Search\n@name search\n@wrapped mcp:github/search.issues\n",
  narrowed:
    "Search.\n\n@title Search\n@name search\n@wrapped mcp:github/search\n@with q = repo:me/mine {words}\n@with limit = 10\n@param words {string} [required] What to look for\n",
  step: "Search.\n\n@title Search\n@name search\n@param words {string} [required] What to look for\n@step found uses mcp:github/search\n  q = {words}\n@step again uses search_more [when={found.ok}]\n  q = {words}\n",
};

for (const [name, text] of Object.entries(texts)) {
  test(`${name}: formatToolFile leaves it, and YAML brings it back`, async () => {
    const formatted = formatToolFile(parseToolFile({ path: "search.tool", text }));
    assert.equal(basesOf(formatted), basesOf(text));
    assert.is(formatToolFile(parseToolFile({ path: "search.tool", text: formatted })), formatted);
    const bench = testProject({ "in/search.tool": text });
    const yaml = await bench.run(["convert", "in/search.tool", "--to", "yaml"]);
    bench.write("out/search.yaml", yaml.stdout);
    const back = await bench.run(["convert", "out/search.yaml", "--to", "tool"]);
    bench.remove();
    assert.equal([yaml.stderr, back.stderr, basesOf(back.stdout)], ["", "", basesOf(text)]);
  });
}

test.run();
