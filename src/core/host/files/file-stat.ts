// Converts the results of `stat` and `readdir` to the types of core/tool/host.ts.
import type { Stats } from "node:fs";
import process from "node:process";
import type { FileKind, FileStat } from "../../tool/host.ts";

interface KindOfEntry {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

export function kindOf(entry: KindOfEntry): FileKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}

// Absent on Windows. Read once, because this program never changes its user.
const userId = process.getuid?.();

export function toFileStat(found: Stats): FileStat {
  return {
    kind: kindOf(found),
    sizeBytes: found.size,
    mtimeMs: found.mtimeMs,
    ctimeMs: found.ctimeMs,
    mode: found.mode & 0o7777,
    isOwn: userId === undefined || found.uid === userId,
    isOfRoot: userId !== undefined && found.uid === 0,
    inode: found.ino,
  };
}

/** Compares names by UTF-16 unit, so that the order is the same in every locale. */
export function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
