// Definitions that change during a call: the call ends as it began, and the next one uses the new definition.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HANG_MS_MAX } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("changing definitions");

/** Waits until the FIFO `first` is opened for writing, fails, is tried again, and waits for `second`. */
function slowTool(word: string): string {
  return `Wait.\n\n@name slow\n@title Slow\n@wrapped run_command\n@shell sh\n@retry 2\n@command if [ -e tried ]; then cat second; echo ${word}; else cat first; : > tried; exit 1; fi\n`;
}

function quickTool(word: string): string {
  return `Say.\n\n@name slow\n@title Slow\n@wrapped run_command\n@command echo ${word}\n`;
}

/** Returns the result of a call during which `change` happens, and of the next two. */
async function changedDuring(
  change: (bench: TestProject) => void,
): Promise<{ readonly running: string; readonly later: readonly string[] }> {
  using bench = testProject({
    ".tools/slow.tool": slowTool("old"),
    ".tools/other.tool": quickTool("other").replace("slow", "other"),
  });
  // The cache must hold them.
  await bench.run(["list"]);
  execFileSync("mkfifo", ["first", "second"], { cwd: bench.folder });
  // Opening a FIFO waits for its reader.
  const release = (gate: string): unknown =>
    execFileSync("sh", ["-c", ': > "$1"', "sh", gate], { cwd: bench.folder, timeout: HANG_MS_MAX });
  const child = spawn(bench.program.command, [...bench.program.words, "slow"], {
    cwd: bench.folder,
    env: bench.program.environment,
  });
  const texts = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (texts.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (texts.stderr += text));
  const closed = once(child, "close");
  release("first");
  change(bench);
  release("second");
  const [exitCode] = (await closed) as [number | null];
  const later = [];
  for (const name of ["slow", "slow", "other"]) {
    const run = await bench.run([name]);
    later.push(`${run.exitCode}: ${run.stdout}${run.stderr.split("\n")[0]}`);
  }
  return { running: `${exitCode}: ${texts.stdout}`, later };
}

test("a running call keeps the definition that it began with when its file is rewritten", async () => {
  const seen = await changedDuring((bench) => bench.write(".tools/slow.tool", quickTool("new")));
  assert.equal(seen, { running: "0: old\n", later: ["0: new\n", "0: new\n", "0: other\n"] });
});

test("a running call ends when its file is deleted, and there is no such tool then", async () => {
  const seen = await changedDuring((bench) => rmSync(join(bench.folder, ".tools/slow.tool")));
  assert.equal(seen, {
    running: "0: old\n",
    later: [
      ...Array.from({ length: 2 }, () => "66: failed[unknown-tool]: there is no tool `slow`; did you mean `show`?"),
      "0: other\n",
    ],
  });
});

test("a running call ends when its file becomes a broken one, and the next says so", async () => {
  const seen = await changedDuring((bench) => writeFileSync(join(bench.folder, ".tools/slow.tool"), quickTool("{x}")));
  const broken = "65: error[unknown-placeholder]: cannot find `x` in this tool";
  assert.equal(seen, { running: "0: old\n", later: [broken, broken, "0: other\n"] });
});

test.run();
