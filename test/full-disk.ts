// Programs on a full disk, as tests start them: no file may become longer than so many blocks of 512 bytes.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type Program, program } from "./program.ts";
import type { TestProject, ToolRun } from "./test-project.ts";

interface Started extends Program {
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Returns how the program is started where a write beyond so many blocks of 512 bytes fails with EFBIG, as one on a full
 * disk does with ENOSPC. What the runtime compiles goes to no place that other tests share: a file that is cut short
 * there breaks their starts.
 */
export function onFullDisk({ folder, program: own }: Pick<TestProject, "folder" | "program">, blocks = 0): Started {
  const { NODE_COMPILE_CACHE: _shared, ...environment }: Readonly<Record<string, string>> = own.environment;
  return {
    command: "sh",
    words: ["-c", `trap '' XFSZ; ulimit -f ${blocks}; exec "$@"`, "sh", own.command, ...own.words],
    environment: { ...environment, ...ownDenoFolder(join(folder, "home")) },
  };
}

/** Calls the program on a full disk. */
export function runOnFullDisk(
  bench: TestProject,
  words: readonly string[],
  { blocks = 0, cwd = bench.folder }: { readonly blocks?: number; readonly cwd?: string } = {},
): ToolRun {
  const { command, words: first, environment } = onFullDisk(bench, blocks);
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  // Deno adds its own environment to that of a child.
  const run = spawnSync("env", ["-i", ...variables, command, ...first, ...words], { cwd, encoding: "utf8" });
  return { stdout: run.stdout, stderr: run.stderr, exitCode: run.status };
}

/** Returns the variable for a folder of Deno's own in this one, where the program has been compiled; none for Node. */
export function ownDenoFolder(folder: string): Readonly<Record<string, string>> {
  if (!("Deno" in globalThis)) return {};
  const env = { DENO_DIR: join(folder, ".cache/deno") };
  spawnSync(program.command, [...program.words, "--version"], { env });
  return env;
}
