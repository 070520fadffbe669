// Files that may not be read, also not by root: root gives up its rights for a while.
import { chmodSync, statSync } from "node:fs";
import process from "node:process";
import { assert } from "./harness.ts";

const NOBODY = 65_534;

/**
 * Takes absolute paths below a temporary folder, which all users may enter for the time. Modes are restored. Nothing
 * else may run at the same time.
 */
export async function withoutRights<Result>(
  folder: string,
  paths: readonly string[],
  body: () => Promise<Result>,
): Promise<Result> {
  const modes = paths.map((path) => statSync(path).mode & 0o7777);
  for (const path of paths) chmodSync(path, 0);
  chmodSync(folder, 0o755);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    assert.is(process.geteuid?.() === 0, false);
    return await body();
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(folder, 0o700);
    for (const [index, path] of paths.entries()) chmodSync(path, modes[index] ?? 0);
  }
}
