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
      "  `--tools`, `--result`, `--cwd`, `--version` belong to this tool after its",
      "  name, to dottool before it: `dottool --tools odd`.",
      "  After `dottool call odd`, `--json` is all the arguments as JSON, and the",
      "  parameter is `json=VALUE`.",
      "  `--help` as the first word shows this, and the parameter is `--help=VALUE`.",
      "",
    ].join("\n"),
  );
});

test("a tool with `@confirm` and its own `--yes` gets both: the option before its name, the parameter after it", async () => {
  using bench = testProject({
    ".tools/drop.tool":
      'Drop it.\n\n@name drop\n@command echo dropped {what} {yes}\n@param what {string} [required] What\n@param yes {boolean} [flag="-y"] Asks nothing\n@confirm Really drop {what}?\n@tags write\n',
  });
  const own = await bench.run(["drop", "a", "--yes"]);
  assert.is(own.exitCode, 77);
  assert.match(own.stderr, "say yes beforehand: `dottool --yes drop …`");
  assert.is((await bench.run(["--yes", "drop", "a"])).stdout, "dropped a\n");
  assert.is((await bench.run(["--yes", "drop", "a", "--yes"])).stdout, "dropped a -y\n");
  assert.match(
    (await bench.run(["drop", "--help"])).stdout,
    /`--yes` belongs to this tool after its name, to dottool before it:\s+`dottool\s+--yes drop`/,
  );
});

test("a tool with the name of a command is named where the command does not take the words", async () => {
  using bench = testProject({
    ".tools/dev.tool": "Start it.\n@command echo vite --port {port}\n@param port {integer} [default=5173] Port\n",
  });
  const refused = await bench.run(["dev", "--port", "3000"]);
  assert.is(refused.exitCode, 64);
  assert.match(refused.stderr, "for your own tool `dev`: dottool run dev --port 3000\n");
  assert.is((await bench.run(["run", "dev", "--port", "3000"])).stdout, "vite --port 3000\n");
  assert.is((await bench.run(["list", "--prot"])).stderr.includes("your own tool"), false);
});

test.run();
