// Programs of a place of their own, in the sandbox: what a failure says, and that following it works.
import { chmodSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { testProject, type ToolRun } from "../test-project.ts";

const test = suite("cli program folder");

const old = (...lines: readonly string[]): string =>
  ["Starts.", "", "@title Old", "@name old", "@wrapped run_command", "@command starter", ...lines, ""].join("\n");
const PLAIN = "policy: []\n";

test("a program that needs more of its own folder fails with the setting that shows it, which `try` follows too", async () => {
  needPrograms("bwrap");
  using bench = testProject({
    "here/kept": "",
    "home/.starter/bin/starter": '#!/bin/sh\n. "$STARTER/share/start"\n',
    "home/.starter/share/start": "echo started\n",
    "sent/old.tool": old("@env STARTER"),
    ".tools/old.tool": old("@sandbox strict", "@env STARTER"),
  });
  const starter = join(bench.folder, "home/.starter");
  chmodSync(join(starter, "bin/starter"), 0o755);
  const environment = { PATH: `${join(starter, "bin")}:${process.env["PATH"] ?? ""}`, STARTER: starter };
  const run = (words: readonly string[]): Promise<ToolRun> => bench.run(words, { cwd: "here", environment });
  // A failure of another kind is the program's own.
  bench.write("home/.starter/share/start", "exit 3\n");
  bench.write("home/.config/dottool/config.yaml", 'sandbox: {reads: ["~/.starter"]}\n');
  const own = await run(["old"]);
  assert.equal([own.exitCode, own.stdout, own.stderr], [3, "", ""]);
  bench.write("home/.starter/share/start", "echo started\n");
  for (const words of [["try", "../sent/old.tool"], ["old"]]) {
    bench.write("home/.config/dottool/config.yaml", PLAIN);
    const { exitCode, stdout, stderr } = await run(words);
    assert.equal([exitCode !== 0, stdout], [true, ""]);
    const [, setting = ""] = /set `([^`]*)` in your `config.yaml`/.exec(stderr) ?? [];
    assert.is(setting, 'sandbox: {reads: ["~/.starter"]}', stderr);
    bench.write("home/.config/dottool/config.yaml", `${setting}\n`);
    const followed = await run(words);
    assert.equal([followed.exitCode, followed.stdout], [0, "started\n"], followed.stderr);
  }
});

test.run();
