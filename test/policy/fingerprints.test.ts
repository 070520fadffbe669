// The fingerprints of definitions, to which approvals are bound, as recorded: with other bytes for the same definition,
// the approvals of users expire.
import "../windows-shells.ts";
import { loadBaseTools } from "../../src/core/base/all.ts";
import { openComposer } from "../../src/core/builder/composer.ts";
import { createToolBuilder } from "../../src/core/builder/tool-builder.ts";
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { contentOf } from "../../src/core/policy/content.ts";
import { assertGolden } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";

const baseTools = await loadBaseTools();

const composer = await openComposer();

const test = suite("fingerprints");

const wrap = `Words, and more words.

@title Wrap
@name wrap
@command echo {a} {many}
@command(windows) cmd-echo {a}
@type Edit {object} An edit
@property Edit.start {integer} First line
@param a {string} [required, pattern=/[a-z]+/i, reject=/x/, min=1, max=9, trim] First
@param many {array<path>} [min=1, unique, example=["x"]] Second
@cwd sub
@stdin words
@env GREETING=hello
@env HOME
@env TOKEN=secret:token
@timeout 5s
@limit output=10MiB memory=512MiB cpu=10s processes=100 rate=10/min
@retry 2 delay=1s
@fallback echo failed
@ignore-errors
@privilege reduced
@isolation process
@permissions filesystem:read:words
@justification It reads.
@sandbox strict
@network example.com
@writes out/
@schema-omits defaults
@cycod-version 1.0.0
@tags read words
@category text
@keywords all of it
@version 1.2.3
@requires echo >= 1
@depends official/other@^1.0.0
@platforms linux macos windows
@returns {string} What was printed
@confirm Really?
@help Long help.
@changelog 1.2.3 everything
@note For readers
@x-team core
@deprecated use less
@example {"a": "b"}
@ask what is b? → {"a": "b"}
@test works
    with {"a": "b"}
    expect exit-code 0
`;
const alias = "Words.\n\n@name alias\n@title Alias\n@wrapped run_command\n@default timeout_s = 5\n";
const preset =
  "Words.\n\n@name preset\n@title Preset\n@wrapped web_fetch\n@param page {string} [required] Page\n@with url = https://example.com/{page}\n@with format = text\n";
const steps = `Words.

@name steps
@title Steps
@param a {string} [required] A word
@step first sh [retry=2 timeout=5s]
    echo {a}
@step second uses read_file [parallel] [when={a} != "x"]
    file_path = {a}
@step third code
    return first.length;
@output {second}
@cleanup sh
    echo done
`;
const code =
  "Words.\n\n@name code\n@title Code\n@param a {string} [required] A word\n@allow crypto\n@code\n    return a;\n";

const host = memoryHost({ files: { "/work/": "" } });
const builder = createToolBuilder({
  platform: "linux",
  definition: () => undefined,
  baseTool: (name) => baseTools.find(({ definition }) => definition.name.value === name),
  composer: () => composer,
  names: () => [],
});

/** Returns the checksums of a definition's own parts. */
function fingerprint(text: string): Readonly<Record<string, string>> {
  const read = analyzeToolFile(parseToolFile({ path: "t.tool", text }));
  const tool = read.value && builder.build(read.value).value;
  if (!tool) throw new Error(JSON.stringify(read.diagnostics));
  const name = tool.definition.name.value;
  const { parts } = contentOf(
    { call: { id: "1", tool: name, arguments: {} }, tool, arguments: { a: "b" } },
    { host, cwd: "/work" },
  );
  return Object.fromEntries(
    Object.entries(parts)
      .filter(([label]) => label.endsWith(` of \`${name}\``))
      .toSorted(),
  );
}

test("contentOf gives a definition the fingerprint that it has always had", () => {
  const lines = [wrap, alias, preset, steps, code].flatMap((text) =>
    Object.entries(fingerprint(text)).map(([label, sum]) => `${sum} ${label}\n`),
  );
  assertGolden("policy/golden/fingerprints.txt", lines.join(""));
});

test("contentOf leaves out what only people read", () => {
  const changed = wrap.replace("For readers", "For others").replace("@category text", "@category words");
  assert.equal(fingerprint(changed), fingerprint(wrap));
  assert.not.equal(fingerprint(wrap.replace("Really?", "Really so?")), fingerprint(wrap));
});

test.run();
