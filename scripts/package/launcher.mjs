// Builds the launcher of `dottool resident` (scripts/launcher/) with the C compiler of the machine. Without one, or for
// another system than Linux, the executable has no launcher, and says so when it is asked for one.
import { spawnSync } from "node:child_process";

const SOURCE = "scripts/launcher/launcher.c";
/** By the target of the executable. */
const compilers = {
  "linux-x64": ["x86_64-linux-gnu-gcc"],
  "linux-arm64": ["aarch64-linux-gnu-gcc"],
};
const options = [
  ..."-std=gnu11 -Os -Wall -Wextra -Werror -static -nostdlib -ffreestanding -fno-builtin".split(" "),
  ..."-fno-pic -no-pie -fno-stack-protector -fno-asynchronous-unwind-tables -fno-tree-loop-distribute-patterns".split(
    " ",
  ),
  ..."-Wl,-z,noexecstack,--build-id=none -s".split(" "),
];

/** Returns the path of the launcher; undefined if it cannot be built here. */
export function buildLauncher(target) {
  const file = `dist/launcher-${target}`;
  for (const compiler of compilers[target] ?? []) {
    const { error, status, stderr } = spawnSync(compiler, [...options, "-o", file, SOURCE], { encoding: "utf8" });
    if (error) continue;
    if (status !== 0) throw new Error(`${compiler} ${SOURCE}:\n${stderr}`);
    return file;
  }
  if (target in compilers) console.log(`no launcher for ${target}: ${compilers[target]} is not installed`);
  return undefined;
}
