// A folder before and after: what a tool that only reads must leave alone.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** By path below the folder; what git itself keeps is a part of it. */
export type FolderContents = ReadonlyMap<string, string>;

/** The content of each file behind the moment of its last change. */
export function folderContents(folder: string): FolderContents {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return new Map(names.map((name) => [name, contentOf(join(folder, name))]));
}

/** What was made, changed or removed. */
export function changedPaths(before: FolderContents, after: FolderContents): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).sort();
}

function contentOf(path: string): string {
  const stat = statSync(path);
  return stat.isFile() ? `${stat.mtimeMs} ${readFileSync(path, "latin1")}` : "";
}
