// `npm run test:wine -- [FILTER…]`: the executable for Windows under Wine, that for Linux on arm64 under qemu-user, and a
// part of the test suite under Wine; with a FILTER, only the test files that have it in their path, under Wine. It makes a
// Debian for them in `~/.cache/dottool-wine`, or in the folder that DOTTOOL_WINE names, and builds both executables.
// Without root or debootstrap it says so and ends.
import { spawnSync } from "node:child_process";
import process from "node:process";
import { hasProgram, obstacle, prepareDebian } from "./wine/prepare-debian.mjs";
import { runSuite } from "./wine/suite.mjs";

const filters = process.argv.slice(2);
const why = obstacle() ?? (hasProgram("qemu-aarch64-static") ? undefined : "it takes `qemu-user-static`");
if (why !== undefined) {
  console.log(`skipped: ${why}\n0 passed, 0 failed, 1 skipped`);
  process.exit();
}
prepareDebian();
const ofExecutables = filters.length > 0 ? { passed: 0, failed: 0 } : runExecutables();
const ofSuite = await runSuite(filters);
const failed = ofExecutables.failed + ofSuite.failed;
console.log(`\n${ofExecutables.passed + ofSuite.passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function runExecutables() {
  run("scripts/package.mjs", "--target", "win-x64,linux-arm64");
  const printed = run("test/run.ts", "--packaged", "packaged/windows", "packaged/linux-arm64");
  const [, passed, failures] = /^(\d+) passed, (\d+) failed/m.exec(printed) ?? [];
  if (passed === undefined) throw new Error("the tests of the executables did not end");
  return { passed: Number(passed), failed: Number(failures) };
}

/** Returns what it prints. */
function run(...words) {
  const { status, stdout } = spawnSync(process.execPath, words, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 64 * 1024 * 1024,
  });
  process.stdout.write(stdout);
  if (status !== 0 && words[0] !== "test/run.ts") process.exit(status ?? 1);
  return stdout;
}
