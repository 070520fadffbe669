// Programs of a place of their own, such as pyenv's, in the sandbox: what a failure says, and that following it works.
import { chmodSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { toolBench, type ToolRun } from "../tool-bench.ts";

const test = suite("cli program folder");

const old = (...lines: readonly string[]): string =>
  ["Starts.", "", "@title Old", "@name old", "@wrapped run_command", "@command python", ...lines, ""].join("\n");
const PLAIN = "policy: []\n";

test("a program that needs more of its own folder fails with the setting that shows it, which `try` follows too", async () => {
  needPrograms("bwrap");
  const bench = toolBench({
    "here/kept": "",
    "home/.pyenv/shims/python": '#!/bin/sh\n. "$PYENV/lib/start"\n',
    "home/.pyenv/lib/start": "echo started\n",
    "sent/old.tool": old("@env PYENV"),
    ".tools/old.tool": old("@sandbox strict", "@env PYENV"),
  });
  try {
    const pyenv = join(bench.folder, "home/.pyenv");
    chmodSync(join(pyenv, "shims/python"), 0o755);
    const environment = { PATH: `${join(pyenv, "shims")}:${process.env["PATH"] ?? ""}`, PYENV: pyenv };
    const run = (words: readonly string[]): Promise<ToolRun> => bench.run(words, { cwd: "here", environment });
    for (const words of [["try", "../sent/old.tool"], ["old"]]) {
      bench.write("home/.config/dottool/config.yaml", PLAIN);
      const { exitCode, stdout, stderr } = await run(words);
      assert.equal([exitCode !== 0, stdout], [true, ""]);
      const [, setting = ""] = /set `([^`]*)` in your `config.yaml`/.exec(stderr) ?? [];
      assert.is(setting, 'sandbox: {reads: ["~/.pyenv"]}', stderr);
      bench.write("home/.config/dottool/config.yaml", `${setting}\n`);
      const followed = await run(words);
      assert.equal([followed.exitCode, followed.stdout], [0, "started\n"], followed.stderr);
    }
  } finally {
    bench.remove();
  }
});

test.run();
