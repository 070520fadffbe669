// Builds the launcher of `dottool resident` (scripts/launcher/), and `dottool-confine` (scripts/confine/), which confines
// commands, with the C compiler of the machine. Without one, or for another system than Linux, the executable has
// neither, and says so where one is needed.
import { spawnSync } from "node:child_process";

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
export const buildLauncher = (target) => build(target, "launcher", []);

/** The same of `dottool-confine`. It uses less of what both share. */
export const buildConfine = (target) => build(target, "confine", ["-Wno-unused-function"]);

function build(target, name, more) {
  const file = `dist/${name}-${target}`;
  const source = `scripts/${name}/${name}.c`;
  for (const compiler of compilers[target] ?? []) {
    const { error, status, stderr } = spawnSync(compiler, [...options, ...more, "-o", file, source], {
      encoding: "utf8",
    });
    if (error) continue;
    if (status !== 0) throw new Error(`${compiler} ${source}:\n${stderr}`);
    return file;
  }
  if (target in compilers) console.log(`no ${name} for ${target}: ${compilers[target]} is not installed`);
  return undefined;
}
