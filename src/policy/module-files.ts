// The files that a plugin is made of: its own, and what that imports by a path, as far as the text says so. A path that
// is computed, and packages, are beyond it: trust in the folder holds to those.
import { dirname, resolve } from "node:path";
import type { Host } from "../tool/host.ts";

const FILE_BYTES_MAX = 8 * 1024 * 1024;
const RELATIVE_IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'`](\.{1,2}\/[^"'`\n]{1,1000})["'`]/g;
/** A name without its ending, and the name that a compiler gives a file. */
const ENDINGS = ["", ".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json", "/index.ts", "/index.js"];

/** Absolute, `path` first. Stops beyond `filesMax`, so that one more than that means too many. */
export function moduleFiles(path: string, filesMax: number, host: Host): readonly string[] {
  const found = new Set([path]);
  for (const file of found) {
    for (const imported of importsOf(file, host))
      if (found.size <= filesMax && host.instant.stat(imported)?.kind === "file") found.add(imported);
  }
  return [...found];
}

/** What each may mean: the one that is not meant does no harm. */
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
