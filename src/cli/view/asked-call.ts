// Shows the whole call that a person is asked about, so that no value can pass for a part of the question: every line
// of a value follows a bar, is wrapped here and not by the terminal, and makes invisible characters visible.
import { displayed } from "../../core/text/display.ts";
import type { Facts } from "../../core/run/call-facts.ts";
import type { Terminal } from "../../core/tool/terminal.ts";

const NAME_COLUMNS = 15;
const BAR = " │ ";
const COLUMNS_MIN = 20;

export function factLines(facts: Facts, columns: number): readonly string[] {
  const width = Math.max(COLUMNS_MIN, columns - NAME_COLUMNS - BAR.length - 2);
  return facts.flatMap(([name, text]) =>
    valueLines(text, width).map((line, index) => `  ${(index === 0 ? name : "").padEnd(NAME_COLUMNS)}${BAR}${line}`),
  );
}

function valueLines(text: string, width: number): readonly string[] {
  return text
    .toWellFormed()
    .split("\n")
    .flatMap((line) => broken(line, width));
}

/** Splits the line into pieces of at most `width` columns, and spells out invisible characters. */
export function broken(line: string, width: number): readonly string[] {
  const lines: string[] = [];
  let [shown, columns] = ["", 0];
  for (const character of line) {
    const next = visible(character);
    const needed = displayed(next).columns;
    if (columns + needed > width && shown !== "") {
      lines.push(shown);
      [shown, columns] = ["", 0];
    }
    shown += next;
    columns += needed;
  }
  return [...lines, shown];
}

/** Spells out a character without width too, such as a joiner. */
function visible(character: string): string {
  if (!/\p{Default_Ignorable_Code_Point}/u.test(character)) return displayed(character).text;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

// Shows a long text before a question, one screen at a time, so that nothing scrolls away unseen.

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
