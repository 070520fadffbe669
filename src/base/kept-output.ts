// Output that was too long to be shown is kept in a file under a handle. This says where it lies and how its lines are counted,
// for the one that keeps it (run/spill.ts) and the one that reads it (read-output.ts).
import { join } from "node:path";
import type { HostFolders } from "../tool/host.ts";

/** `Host.randomId`: nobody guesses the handle of somebody else's output. */
export const handlePattern = /[0-9a-f]{32}/;

const fileName = /^([0-9a-f]{32})\.txt$/;

export function keptFolder(folders: HostFolders): string {
  return join(folders.cache, "spill");
}

/** `handle` must match `handlePattern`. */
export function keptFile(folders: HostFolders, handle: string): string {
  return join(keptFolder(folders), `${handle}.txt`);
}

export function isKeptFileName(name: string): boolean {
  return fileName.test(name);
}

/** A longer line counts as several, so that a text of a single line can be read in pages as well. */
export const LINE_CHARACTERS_MAX = 2_000;

/** Where each line starts. A text that ends with a line end has no empty line after it. */
export function lineStarts(text: string): readonly number[] {
  const starts: number[] = [];
  let end = 0;
  for (let start = 0; start < text.length; ) {
    starts.push(start);
    // Looked for once for each line: a long one has many starts, and looking from each of them takes quadratic time.
    if (start >= end) {
      const lineEnd = text.indexOf("\n", start);
      end = lineEnd === -1 ? text.length : lineEnd + 1;
    }
    // The line end itself does not count.
    start = end - start > LINE_CHARACTERS_MAX + 1 ? wholeCharacterEnd(text, start + LINE_CHARACTERS_MAX) : end;
  }
  return starts;
}

/** `end`, or one less where that would part the two halves of a character. */
export function wholeCharacterEnd(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return end < text.length && code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}
