// Tools with parameters named like options of dottool: each can be reached, and the help says how.
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("namesakes");

test("every parameter is reached, whatever it is called", async () => {
  const names = ["json", "help", "tools", "version", "cwd", "result"];
  using bench = testProject({
    ".tools/odd.tool": [
      "Says it.",
      "",
      "@title Odd",
      "@name odd",
      "@wrapped run_command",
      `@command echo ${names.map((name) => `{${name}}`).join(" ")}`,
      ...names.map((name) => `@param ${name} {string} [default=-] Text`),
      "",
    ].join("\n"),
  });
  const said = async (words: readonly string[]): Promise<string> => Object.values(await bench.run(words)).join("|");
  assert.is(
    await said(["odd", "--json", "1", "--help=2", "--tools", "3", "--version", "4", "--cwd", "5", "--result", "6"]),
    "1 2 3 4 5 6\n||0",
  );
  assert.is(await said(["call", "odd", "json=1", "help=2", "--tools=3"]), "1 2 3 - - -\n||0");
  assert.is(await said(["call", "odd", "--json", '{"json": "1", "help": "2"}']), "1 2 - - - -\n||0");
  const help = (await bench.run(["odd", "--help"])).stdout;
  assert.is(
    help.slice(help.indexOf("Names with")),
    [
      "Names with two meanings",
      "  After `dottool call odd`, `--json` is all the arguments as JSON, and the",
      "  parameter is `json=VALUE`.",
      "  `--help` as the first word shows this, and the parameter is `--help=VALUE`.",
      "",
    ].join("\n"),
  );
});

test.run();
