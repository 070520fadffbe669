// A parameter with the name of something that a tool of steps has is the author's, with a warning and with all the care
// that any value gets.
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("names of a run");

const all = `Shows its names.

@title Names
@name names
@param files {array<string>} [required] Which
@param item {string} Hides the item
@param WORKSPACE {string} Hides the folder
@param TEMP_DIR {string} [default=t] Hides the folder of the run
@step each runs [for-each={files}]
    printf '%s,' [{item}] {index} [{WORKSPACE}] {TEMP_DIR} {TOOL_NAME}
@tags run
`;

test("a parameter hides what has its name, with a value and without one", async () => {
  const said = analyzeToolFile(parseToolFile({ path: "names.tool", text: all })).diagnostics;
  assert.equal(
    said.map(({ severity, code, message }) => `${severity} ${code}: ${message}`),
    [
      "warning reserved-name: `{item}` is this parameter here, and not the current item of `for-each`",
      "warning reserved-name: `{WORKSPACE}` is this parameter here, and not the folder of the call",
      "warning reserved-name: `{TEMP_DIR}` is this parameter here, and not a temporary folder for each run",
    ],
  );
  using bench = testProject({ ".tools/names.tool": all });
  const call = async (args: unknown): Promise<string> => {
    const { stdout, stderr } = await bench.here(["call", "names", "--json", JSON.stringify(args)]);
    return stdout + stderr;
  };
  assert.equal(
    [await call({ files: ["a"], item: "own", WORKSPACE: "here" }), await call({ files: ["a", "b"] })],
    ["[own],0,[here],t,names,\n", "[],0,[],t,names,\n[],1,[],t,names,\n"],
  );
});

test("a value in such a name is guarded as any other", async () => {
  const head = "Packs.\n\n@title Pack\n@name pack\n";
  const tools = {
    wrap: `${head}@wrapped run_command\n@shell sh\n@command tar cf o.tar "$X" f\n@env X={TEMP_DIR}\n@param TEMP_DIR {string} [required] Which\n`,
    steps: `${head}@env X={TEMP_DIR}\n@param TEMP_DIR {string} [required] Which\n@step one sh\n    tar cf o.tar "$X" f\n`,
  };
  for (const text of Object.values(tools)) {
    using bench = testProject({ ".tools/pack.tool": text, f: "" });
    const { exitCode, stderr } = await bench.here(["call", "pack", "--json", '{"TEMP_DIR":"-Ifalse"}']);
    assert.is(exitCode, 64, stderr);
    assert.match(stderr, "starts with `-`");
  }
});

test("`@cwd {WORKSPACE}` is the parameter that the author declares", async () => {
  const text =
    "Where.\n\n@title Where\n@name where\n@wrapped run_command\n@command pwd\n@cwd {WORKSPACE}\n@param WORKSPACE {path} [required] Where\n@tags read\n";
  using bench = testProject({ ".tools/where.tool": text, "sub/f": "" });
  const { stdout } = await bench.here(["call", "where", "--json", '{"WORKSPACE":"sub"}']);
  assert.is(stdout, "<bench>/sub\n");
});

test.run();
