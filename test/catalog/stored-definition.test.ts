// A definition read from JSON is as it was, spans included.
import "../windows-shells.ts";
import { assert, suite } from "../harness.ts";
import { loadDefinitionReader } from "../../src/core/catalog/definition-reader.ts";
import { lazySource, reviveDefinition, storeDefinition } from "../../src/core/catalog/stored-definition.ts";
import { bundledTools } from "../../src/generated/bundled-tools.ts";
import { bundledWindowsTools } from "../../src/generated/bundled-windows-tools.ts";

const test = suite("stored-definition");

const wrap = String.raw`Words, and more words.

Second paragraph with "quotes", a \ and é.

@title Everything
@name everything
@wrapped run_command
@command echo {a} {b} {c} {many} {edits}
@command(windows) cmd-echo {a}
@param a {string} [required, pattern=/[a-z]+/i, reject=/x/, min=1, max=9, trim] First
@param b {integer} [default=3, min=0, flag="--b {value}"] Second
@param c {"one"|"two"} [env=CHOICE, secret] Third
@param many {array<path>} [min=1, unique, example=["x"]] Fourth
@type Edit {object} An edit
@property Edit.start {integer} First line
@property Edit.end {integer} [optional] Last line
@param edits {Edit} Fifth
@cwd sub/{a}
@stdin {a}
@env GREETING=hello {a}
@timeout 5s
@limit output=10MiB
@retry 2 delay=1s
@fallback echo failed {a}
@tags read words
@category text
@keywords all of it
@version 1.2.3
@requires echo >= 1
@depends official/other@^1.0.0
@platforms linux macos windows
@returns {string} What was printed
@help Long help.
@changelog 1.2.3 everything
@deprecated use less
@example {"a": "b"}
@test works
    setup touch x
    with {"a": "b", "edits": {"start": 1, "end": 2}}
    expect exit-code 0
    expect output-matches /b/i
    expect result {"start": 1, "end": 2}
    cleanup rm x
`;

const alias =
  '@name other\n@title Other\n@wrapped run_command\n@default timeout_s = 5\n@test one\n    with {"command": "true"}\n    expect exit-code 0\n';
const preset =
  "Words.\n\n@name preset\n@title Preset\n@wrapped web_fetch\n@param page {string} [required] Page\n@with url = https://example.com/{page}\n@with format = text\n";

for (const [kind, text] of Object.entries({ wrap, alias, preset })) {
  test(`reviveDefinition gives back what storeDefinition took: ${kind}`, async () => {
    const source = { path: "any.tool", text };
    const read = (await loadDefinitionReader("any.tool")).read(source, { scope: "user", owner: "team" });
    assert.equal(
      read.diagnostics.filter((diagnostic) => diagnostic.severity === "error").map((diagnostic) => diagnostic.message),
      [],
    );
    assert.ok(read.value);
    const stored = storeDefinition(read.value, source);
    assert.not.match(stored, "any.tool");
    assert.equal(reviveDefinition(stored, source, { scope: "user" }), read.value);
  });
}

test("reviveDefinition gives back every bundled tool", async () => {
  const reader = await loadDefinitionReader("any.tool");
  for (const tool of [...bundledTools, ...bundledWindowsTools]) {
    const source = { path: tool.fileName, text: tool.text };
    assert.equal(
      reviveDefinition(tool.definition, source, { scope: "builtin" }),
      reader.read(source, { scope: "builtin" }).value,
    );
  }
});

test("lazySource reads once, and only when asked", () => {
  let reads = 0;
  const source = lazySource("a.tool", () => `text ${++reads}`);
  assert.is(reads, 0);
  assert.equal([source.text, source.text, reads], ["text 1", "text 1", 1]);
});

test.run();
