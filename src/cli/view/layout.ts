// Text in lines and columns that fit a terminal.
import { displayed, printable } from "../../core/text/display.ts";

/** Columns that wide terminals leave empty, because long lines are hard to read. */
const TEXT_COLUMNS_MAX = 100;
const COLUMN_GAP = 2;

export function textColumns(terminalColumns: number): number {
  return Math.max(40, Math.min(terminalColumns, TEXT_COLUMNS_MAX));
}

/** Makes text of unknown origin safe for a terminal; its line ends stay. */
export function printableLines(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => printable(line.replaceAll("\t", "  ")))
    .join("\n");
}

function widthOf(text: string): number {
  // Nearly all text; the rest costs ten times as much.
  return /^[\x20-\x7e]*$/.test(text) ? text.length : displayed(text).columns;
}

export function padEnd(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - widthOf(text)));
}

/** Cuts a line to at most `columns`, and marks the cut with `…`. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = "";
  for (const character of text) {
    if (widthOf(kept + character) > columns - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/**
 * Joins the lines of each paragraph, because authors break them where their own editor ends; indented lines and lists
 * stay.
 */
export function reflow(text: string): string {
  return text.replaceAll(/(?<=\S)\r?\n(?=[^\s*\-+\d])/g, " ");
}

/**
 * Breaks at spaces; a word that is longer than a line stays whole. Line ends in the text stay, and so do lines that
 * fit.
 */
export function wrap(text: string, columns: number): readonly string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, columns));
}

function wrapLine(line: string, columns: number): readonly string[] {
  // A line that fits may have been formatted on purpose.
  if (widthOf(line) <= columns) return [line.trimEnd()];
  const indent = /^ */.exec(line)?.[0] ?? "";
  const lines: string[] = [];
  let current = "";
  for (const word of line.trim().split(/ +/)) {
    const joined = current === "" ? indent + word : `${current} ${word}`;
    if (current !== "" && widthOf(joined) > columns) {
      lines.push(current);
      current = indent + word;
    } else current = joined;
  }
  return [...lines, current.trimEnd()];
}

export interface RowsOptions {
  readonly columns: number;
  readonly indent: number;
  /** The maximum width of the first column; a longer name gets a line of its own. */
  readonly nameColumnsMax: number;
}

/** Formats rows of a name and a text, with the texts aligned and wrapped. */
export function rows(
  entries: readonly (readonly [name: string, text: string])[],
  options: RowsOptions,
): readonly string[] {
  const { columns, indent, nameColumnsMax } = options;
  const width = Math.max(0, ...entries.map(([name]) => widthOf(name)).filter((length) => length <= nameColumnsMax));
  const textStart = indent + width + COLUMN_GAP;
  return entries.flatMap(([name, text]) => {
    const lines = wrap(text, Math.max(20, columns - textStart));
    const head = " ".repeat(indent) + padEnd(name, width) + " ".repeat(COLUMN_GAP);
    const rest = lines.map((line) => (" ".repeat(textStart) + line).trimEnd());
    if (widthOf(name) > width) return [" ".repeat(indent) + name, ...rest];
    return [(head + (lines[0] ?? "")).trimEnd(), ...rest.slice(1)];
  });
}
