// A folder before and after, to check that a tool only reads it.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Texts by path below the folder, including git's own files. */
export type FolderContents = ReadonlyMap<string, string>;

/** Returns the content of each file after the time of its last change. */
export function folderContents(folder: string): FolderContents {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return new Map(names.map((name) => [name, contentOf(join(folder, name))]));
}

/** Returns the paths that were made, changed or removed. */
export function changedPaths(before: FolderContents, after: FolderContents): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).sort();
}

function contentOf(path: string): string {
  const stat = statSync(path);
  return stat.isFile() ? `${stat.mtimeMs} ${readFileSync(path, "latin1")}` : "";
}
