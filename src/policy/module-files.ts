// The files of a plugin: its own, and those that it imports by a path in the text. Computed paths and packages are not
// found; trust in the folder covers them.
import { dirname, resolve } from "node:path";
import type { Host } from "../tool/host.ts";

const FILE_BYTES_MAX = 8 * 1024 * 1024;
const RELATIVE_IMPORT = /(?:\bfrom|\bimport|\brequire)\s*(?:\(\s*)?["'`](\.{1,2}\/[^"'`\n]{1,1000})["'`]/g;
/** Extensions for a name without one, or with that of a compiled file. */
const ENDINGS = ["", ".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json", "/index.ts", "/index.js"];

/** Returns absolute paths, `path` first. Stops after `filesMax` plus one, which means too many. */
export function moduleFiles(path: string, filesMax: number, host: Host): readonly string[] {
  const found = new Set([path]);
  for (const file of found) {
    for (const imported of importsOf(file, host))
      if (found.size <= filesMax && host.instant.stat(imported)?.kind === "file") found.add(imported);
  }
  return [...found];
}

/** Returns all files that each import may mean: a wrong one does no harm. */
function importsOf(file: string, host: Host): readonly string[] {
  let text: string;
  try {
    text = new TextDecoder().decode(host.instant.readBytes(file, FILE_BYTES_MAX));
  } catch {
    return [];
  }
  return [...text.matchAll(RELATIVE_IMPORT)].flatMap(([, specifier = ""]) => {
    const path = resolve(dirname(file), specifier);
    return [...ENDINGS.map((ending) => path + ending), path.replace(/\.([mc]?)js$/, ".$1ts")];
  });
}
