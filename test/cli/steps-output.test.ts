// What a person at a terminal sees of the steps of a tool, through a pseudo-terminal of util-linux's `script`. The
// terminal cannot redraw its lines here, so no rows stand between.
import { spawnSync } from "node:child_process";
import { commandLine } from "../../src/core/base/quote.ts";
import { typeAtTerminal } from "../at-terminal.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("steps-output");

const tool = (name: string, text: string): Readonly<Record<string, string>> => ({
  [`.tools/${name}.tool`]: `Do steps.\n\n@title ${name}\n@name ${name}\n${text}\n`,
});
const until = (file: string): string => `until [ -e ${file} ]; do sleep 0.02; done`;
const SECRET = "s3cr3t-value-of-it";

const files = {
  ...tool("ship", "@step build sh\n    echo compiled; echo warned >&2\n@step upload sh\n    printf 'up: %s' {build}"),
  ...tool(
    "both",
    `@step one sh\n    echo one; ${until("two-began")}; printf 'half'; touch go; ${until("two-ended")}; echo ' whole'\n` +
      `@step two sh [parallel]\n    echo two; touch two-began; ${until("go")}; echo second; touch two-ended\n@step end sh\n    rm go two-*; echo end`,
  ),
  ...tool(
    "bad",
    `@step slow sh\n    echo slow; touch began; sleep 60\n@step bad sh [parallel]\n    ${until("began")}; echo why >&2; exit 3`,
  ),
  ...tool("last", "@step one sh\n    echo one\n@step two sh\n    echo why; exit 3"),
  ...tool("skips", '@step one sh\n    echo one\n@step two sh [when={one} == "x"]\n    echo two'),
  ...tool("filled", "@step one sh\n    echo one\n@output\n    It is {one}."),
  ...tool("items", "@step list sh\n    echo a; echo b\n@step each sh [for-each={list}]\n    echo {item}"),
  ...tool("kept", "@step one sh [cache=1h]\n    echo one\n@step two sh\n    echo two"),
  ...tool(
    "again",
    "@step one sh [retry=2]\n    echo tried; [ -e tried ] || { touch tried; exit 1; }; echo done\n@step two sh\n    echo two",
  ),
  ...tool("outer", "@step inner uses ship\n@step data uses json\n@step two sh\n    echo two"),
  ...tool("data", "@step one sh\n    echo one\n@step two uses json"),
  ".tools/json.tool": "Data.\n\n@title json\n@name json\n@code\n    return { a: 1 };\n",
  ...tool(
    "secret",
    '@param token {string} [required, secret] It\n@step one sh\n    token={token}; printf %s "${token%-of-it}"; sleep 0.2; echo "-of-it."\n@step two sh\n    echo two',
  ),
  ...tool(
    "login",
    "@step raw sh\n    echo its-own-token\n@step fetch sh\n    echo {raw}\n@step use uses secret\n    token = {fetch}\n@step two sh\n    echo two",
  ),
};

interface Seen {
  readonly text: string;
  readonly exitCode: number | null;
}

async function atTerminal({ folder, program }: TestProject, line: string): Promise<Seen> {
  const call = commandLine([program.command, ...program.words]);
  const environment = { ...program.environment, TERM: "dumb" };
  const { text, exitCode } = await typeAtTerminal(`${call} ${line}`, { folder, environment });
  return {
    text: text
      .replaceAll("\r\n", "\n")
      .replaceAll(/ {2}= `dottool runs resume.*\n|(?:⏳|one: attempt)[^\r]*\r *\r/g, ""),
    exitCode,
  };
}

async function shows(line: string, text: string, exitCode = 0): Promise<void> {
  using bench = testProject(files);
  assert.equal(await atTerminal(bench, line), { text, exitCode });
}

if (spawnSync("script", ["--version"]).status === 0) {
  test("each step is shown below its name, and its last line is ended", () =>
    shows("ship", "── build\ncompiled\nwarned\n── upload\nup: compiled\n"));

  test("--quiet keeps the result", () => shows("ship --quiet", "up: compiled\n"));

  test("a result that goes elsewhere is not shown, and is the same", async () => {
    using bench = testProject(files);
    assert.equal(await atTerminal(bench, "ship > out; cat out >&2"), {
      text: "── build\ncompiled\nwarned\nup: compiled\n",
      exitCode: 0,
    });
    assert.equal(await bench.run(["ship"]), { stdout: "up: compiled\n", stderr: "", exitCode: 0 });
    assert.equal(
      (await atTerminal(bench, "ship --output-file out; cat out")).text,
      "── build\ncompiled\nwarned\nup: compiled\n",
    );
  });

  test("no line of steps that run together is torn", () =>
    shows("both", "── one\none\nhalf whole\n── two\ntwo\nsecond\n── end\nend\n"));

  test("the output of a failed step stands before the failure, once", async () => {
    const failure = (step: string): string =>
      `failed[step-failed]: step \`${step}\` (\`sh\`): \`sh\` ended with exit code 3\n`;
    await shows("bad", `── slow\nslow\n── bad\nwhy\n${failure("bad")}`, 3);
    await shows("last", `── one\none\n── two\nwhy\n${failure("two")}`, 3);
    await shows("last > out", `── one\none\n── two\nwhy\n${failure("two")}`, 3);
  });

  test("a step that is the result because the next one is skipped is shown once", () =>
    shows("skips", "── one\none\n"));

  test("a result that is made of steps stands below the name of the tool", () =>
    shows("filled", "── one\none\n── filled\nIt is one.\n"));

  test("items are told apart", () => shows("items", "── list\na\nb\n── each[0]\na\n── each[1]\nb\n"));

  test("output from the cache is shown as that of a run", async () => {
    using bench = testProject(files);
    const first = await atTerminal(bench, "kept");
    assert.equal(first, { text: "── one\none\n── two\ntwo\n", exitCode: 0 });
    assert.equal(await atTerminal(bench, "kept"), first);
  });

  test("the output of an attempt that was repeated is not shown", () =>
    shows("again", "── one\ntried\ndone\n── two\ntwo\n"));

  test("a step shows what its tool returns, also where that is data", async () => {
    await shows("outer", '── inner\nup: compiled\n── data\n{"a":1}\n── two\ntwo\n');
    await shows("data", '── one\none\n── two\n{\n  "a": 1\n}\n');
  });

  test("secrets are masked in two pieces too, and a step that fetches one is not shown", async () => {
    await shows(`secret --token ${SECRET}`, "── one\n•••.\n── two\ntwo\n");
    await shows("login", "── use\ntwo\n── two\ntwo\n");
  });
}

test.run();
