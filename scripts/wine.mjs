// `npm run test:wine`: the executable for Windows under Wine, and that for Linux on arm64 under qemu-user. It makes a
// Debian for them in `~/.cache/dottool-wine`, or in the folder that DOTTOOL_WINE names, builds both executables and runs
// their tests. Without root or debootstrap it says so and ends.
import { spawnSync } from "node:child_process";
import process from "node:process";
import { hasProgram, obstacle, prepareDebian } from "./wine/prepare-debian.mjs";

const why = obstacle() ?? (hasProgram("qemu-aarch64-static") ? undefined : "it takes `qemu-user-static`");
if (why !== undefined) {
  console.log(`skipped: ${why}\n0 passed, 0 failed, 1 skipped`);
  process.exit();
}
prepareDebian();
run("scripts/package.mjs", "--target", "win-x64,linux-arm64");
run("test/run.ts", "--packaged", "packaged/windows", "packaged/linux-arm64");

function run(...words) {
  const { status } = spawnSync(process.execPath, words, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
