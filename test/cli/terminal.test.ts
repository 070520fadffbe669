// Texts for a person at a terminal, through a pseudo-terminal of util-linux's `script`.
import { spawn, spawnSync } from "node:child_process";
import { commandLine } from "../../src/core/base/quote.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("terminal");

const shellTool = (name: string, script: string, more = ""): string =>
  `Wait.\n\n@title Wait\n@name ${name}\n@wrapped run_command\n@shell sh\n@command ${script}\n${more}`;
const files = {
  // A limit of output keeps the terminal here: see lent-terminal.test.ts.
  ".tools/slow.tool": shellTool("slow", "sleep 1.4; echo done", "@limit output=1MiB\n"),
  ".tools/begun.tool": shellTool("begun", "printf begun; sleep 1.4; echo ..", "@limit output=1MiB\n"),
  ".tools/lent.tool": shellTool("lent", "sleep 1.4; echo done"),
  ".tools/quick.tool": shellTool("quick", "echo done", "@deprecated use\n    `slow`\n"),
};

/** Returns everything that reaches the terminal. */
function atTerminal(bench: TestProject, words: readonly string[]): Promise<string> {
  const { command, words: program, environment } = bench.program;
  return new Promise((resolve, reject) => {
    const child = spawn("script", ["-qec", commandLine([command, ...program, ...words]), "/dev/null"], {
      cwd: bench.folder,
      env: { ...environment, SHELL: "/bin/sh", TERM: "dumb" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
    child.on("error", reject);
    child.on("close", () => resolve(text));
  });
}

if (spawnSync("script", ["--version"]).status === 0)
  test("a call says on the terminal what it waits for, and takes it back when output comes", async () => {
    using bench = testProject(files);
    const [slow, begun, lent, quick, piped] = await Promise.all([
      ...["slow", "begun", "lent", "quick"].map((name) => atTerminal(bench, [name])),
      bench.run(["slow"]),
    ]);
    assert.is(slow, `⏳ slow 1 s \r${" ".repeat(11)}\rdone\r\n`);
    assert.is(begun, "begun..\r\n");
    assert.is(lent, "done\r\n");
    assert.is(quick, "warning[deprecated]: `quick` is deprecated: use `slow`\r\ndone\r\n");
    assert.equal(piped, { stdout: "done\n", stderr: "", exitCode: 0 });
  });

test.run();
