// Faults in the system calls of the real program: it is never silent, never reports a bug, and never hangs.
// scripts/faults.mjs injects them. This test runs a part of the scenarios, and `npm run test:long` all of them.
import { execFile, spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { isLong } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { testProject } from "../test-project.ts";

const test = suite("system faults");

const repository = fileURLToPath(new URL("../..", import.meta.url));
const script = fileURLToPath(new URL("../../scripts/faults.mjs", import.meta.url));
/** Code that decides about trust, reads definitions, starts a process, and serves. */
const sample = ["--every", "400", "trust", "check-path", "call", "mcp"];

// The script starts Node's program, whatever runs this test.
if (process.platform === "linux" && !("deno" in process.versions)) {
  test("each ends in success or in a failure that says what was refused", async () => {
    needPrograms("strace");
    const said = await new Promise<string>((resolve) => {
      execFile(
        process.execPath,
        [script, ...(isLong ? [] : sample)],
        { cwd: repository, maxBuffer: 64 * 1024 * 1024 },
        (error, stdout, stderr) => resolve(error ? `${stdout}${stderr}` : ""),
      );
    });
    assert.is(said, "");
  });

  test("a missing `/dev/null` is said, and no interpreter is blamed", () => {
    needPrograms("bwrap");
    using bench = testProject();
    const { command, words, environment } = bench.program;
    const called = [command, ...words, "call", "run_command", "--json", '{"command":"ls /"}'];
    const { stderr } = spawnSync("bwrap", ["--dev-bind", "/", "/", "--tmpfs", "/dev", "--", ...called], {
      cwd: bench.folder,
      env: environment,
      encoding: "utf8",
    });
    assert.match(stderr, /^failed\[not-started\]: [^\n]*`\/dev\/null` is missing on this system/);
    assert.not.match(stderr, "interpreter");
  });
}

test.run();
