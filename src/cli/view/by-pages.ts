// Shows a long text before a question, one screen at a time, so that nothing scrolls away unseen.
import type { Terminal } from "../../tool/terminal.ts";

/** Rows for the question, the last line of the page before, and a first line that takes several rows. */
const ROWS_LEFT = 5;
const ROWS_MIN = 4;

type Asking = Pick<Terminal, "input" | "errors">;

/**
 * Shows lines by pages, or at once without a terminal. Returns whether all of it was shown. Only the first of `lines`
 * may be wider than the terminal.
 */
export async function showByPages(lines: readonly string[], { input, errors }: Asking): Promise<boolean> {
  const isAsked = input.isTerminal && errors.isTerminal;
  let shown = 0;
  while (shown < lines.length) {
    const room = isAsked ? Math.max(ROWS_MIN, errors.rows - ROWS_LEFT) : lines.length;
    const end = shown + room;
    errors.write(`${lines.slice(shown, end).join("\n")}\n`);
    shown = end;
    if (shown >= lines.length) return true;
    const place = `lines 1 to ${counted(shown)} of ${counted(lines.length)}`;
    const answer = await input.ask(`${place}; Enter for more, [a]ll for the rest, [n]o to stop: `);
    const word = answer?.trim().toLowerCase();
    if (word === undefined || /^(?:n|no|q|quit)$/.test(word)) return false;
    if (word === "a" || word === "all") {
      errors.write(`${lines.slice(shown).join("\n")}\n`);
      return true;
    }
  }
  return true;
}

function counted(number: number): string {
  return number.toLocaleString("en");
}
