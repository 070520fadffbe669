// Output that writes over itself, as progress does: what a terminal would show in the end.
import { withoutTerminalCodes } from "./hidden-characters.ts";

/** A carriage return, or the code that moves the cursor to the first column. */
const RETURNS = /\r|\x1b\[[01]?G/;
const RETURN = /\r(?!\n|$)|\x1b\[[01]?G/;
const ERASES_REST = /\x1b\[0?K/;
const ERASES_LINE = "\x1b[2K";

/** Returns each line as it was last: what follows a carriage return is written over the start of the line. */
export function asLastShown(text: string): string {
  return RETURN.test(text) ? text.split("\n").map(lineAsLastShown).join("\n") : text;
}

/** Returns where the last return to the start of a line is, or -1. */
export function lastReturn(text: string): number {
  return Math.max(...["\r", "\x1b[G", "\x1b[0G", "\x1b[1G"].map((code) => text.lastIndexOf(code)));
}

function lineAsLastShown(line: string): string {
  const end = line.endsWith("\r") ? "\r" : "";
  const parts = line.slice(0, line.length - end.length).split(RETURNS);
  if (parts.length === 1) return line;
  // From the last one back: of an earlier part only what is longer is left, so that the time is linear.
  let shown = "";
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index] ?? "";
    if (part.endsWith(ERASES_LINE)) break;
    const plain = withoutTerminalCodes(part);
    // The first half of a character may be overwritten.
    if (plain.length > shown.length) shown += plain.slice(shown.length).replace(/^[\udc00-\udfff]/, "");
    if (ERASES_REST.test(part) || part.startsWith(ERASES_LINE)) break;
  }
  return shown + end;
}
