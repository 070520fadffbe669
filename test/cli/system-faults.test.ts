// Faults in the system calls of the real program: it is never silent, never reports a bug, and never hangs.
// scripts/faults.mjs injects them. This test runs a part of the scenarios, and `npm run test:long` all of them.
import { execFile } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { isLong } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";

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
}

test.run();
