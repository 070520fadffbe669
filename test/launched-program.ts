// What `node test/run.ts --launcher` starts as the program: the launcher of the built executable, with a resident
// process. Tests set no XDG_RUNTIME_DIR, so neither does this.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { compiled } from "./run-variables.ts";

/** Longer than any run of the tests. */
const IDLE_S = "7200";

/** Returns the launcher's path. The resident process ends with this one. */
export function openLauncher(executable: string): string {
  const { XDG_RUNTIME_DIR: _none, ...env } = process.env;
  const folder = compiled("dottool-launcher-tests");
  const launcher = join(folder, "dottool");
  const run = (...words: readonly string[]): void => {
    const { status, stderr } = spawnSync(executable, ["resident", ...words], { env, encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
  };
  mkdirSync(folder, { recursive: true });
  run("launcher", launcher);
  run("start", "--idle", IDLE_S);
  process.on("exit", () => run("stop"));
  return launcher;
}
