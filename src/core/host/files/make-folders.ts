// Creates a folder with its parents. Node's own `recursive` never returns if the system reports ENOENT below an
// existing folder, as /proc does.
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "../../tool/error-code.ts";
import { FileError } from "./file-error.ts";

/** Throws the system's error: EEXIST if a file has the name. */
export function makeFolders(path: string, mode: number = 0o777): void {
  if (makeOne(path, mode)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolders(parent, mode);
  if (!makeOne(path, mode)) throw new FileError("ENOENT", "no folder can be created here", path);
}

/** Returns false if its parent is missing. */
function makeOne(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return false;
    if (code !== "EEXIST" || !statSync(path).isDirectory()) throw error;
  }
  return true;
}
