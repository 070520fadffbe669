// One line of a file with markers and their notes below it, cut to the width of a terminal.
import { displayed } from "./display.ts";

const LINE_COLUMNS_MAX = 100;
/** The columns before the first marker of a line that is cut. */
const BEFORE_MARKER_COLUMNS = 30;

export interface Mark {
  /** UTF-16 indices into the line. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isPrimary: boolean;
}

export interface ExcerptRow {
  /** `source` is the line itself, `marks` and `says` are below it, and `isPrimary` decides the colour. */
  readonly kind: "source" | "marks";
  readonly pieces: readonly { readonly text: string; readonly isPrimary?: boolean }[];
}

/** Returns the rows. If marks are too far apart for one excerpt, the line is shown twice. */
export function excerptRows(line: string, marks: readonly Mark[]): readonly (readonly ExcerptRow[])[] {
  const groups: Mark[][] = [];
  for (const mark of marks.toSorted((one, other) => one.start - other.start)) {
    const group = groups.at(-1);
    const first = group?.[0];
    if (group && first && mark.end - first.start < LINE_COLUMNS_MAX - BEFORE_MARKER_COLUMNS) group.push(mark);
    else groups.push([mark]);
  }
  return groups.map((group) => rowsOf(window(line, group)));
}

interface Shown {
  readonly text: string;
  readonly marks: readonly {
    readonly column: number;
    readonly columns: number;
    readonly text: string;
    readonly isPrimary: boolean;
  }[];
}

/** Returns the part of the line around the marks. */
function window(line: string, marks: readonly Mark[]): Shown {
  const firstStart = marks[0]?.start ?? 0;
  const lastEnd = Math.max(...marks.map((mark) => mark.end));
  const fits = line.length <= LINE_COLUMNS_MAX || lastEnd <= LINE_COLUMNS_MAX;
  const from = fits ? 0 : onCharacter(line, Math.max(0, firstStart - BEFORE_MARKER_COLUMNS));
  const to = onCharacter(line, Math.min(line.length, from + LINE_COLUMNS_MAX));
  const shown = displayed(line.slice(from, to));
  const before = from > 0 ? "…" : "";
  const spots = marks.map((mark) => {
    const column = before.length + shown.columnOf(Math.max(0, mark.start - from));
    const end = before.length + shown.columnOf(Math.min(to, mark.end) - from);
    return { column, columns: Math.max(1, end - column), text: mark.text, isPrimary: mark.isPrimary };
  });
  return { text: `${before}${shown.text}${to < line.length ? "…" : ""}`, marks: spots };
}

/** Moves an index out of the middle of a surrogate pair. */
function onCharacter(line: string, index: number): number {
  return index > 0 && /[\udc00-\udfff]/.test(line[index] ?? "") && /[\ud800-\udbff]/.test(line[index - 1] ?? "")
    ? index - 1
    : index;
}

function rowsOf(shown: Shown): readonly ExcerptRow[] {
  const { marks } = shown;
  const rows: ExcerptRow[] = [{ kind: "source", pieces: [{ text: shown.text }] }];
  const last = marks.at(-1);
  rows.push({
    kind: "marks",
    pieces: [
      ...markerPieces(marks),
      ...(last && last.text !== "" ? [{ text: ` ${last.text}`, isPrimary: last.isPrimary }] : []),
    ],
  });
  // The notes of the others are below, the rightmost first, each under its marker.
  for (let index = marks.length - 2; index >= 0; index--) {
    const mark = marks[index];
    if (!mark || mark.text === "") continue;
    let stems = "";
    for (const left of marks.slice(0, index))
      if (left.text !== "" && left.column >= stems.length) stems = `${stems.padEnd(left.column)}│`;
    rows.push({
      kind: "marks",
      pieces: [
        { text: stems.slice(0, mark.column).padEnd(mark.column) },
        { text: mark.text, isPrimary: mark.isPrimary },
      ],
    });
  }
  return rows;
}

/** Returns `^^^^` for the primary place and `----` for the others. The primary one is on top where they overlap. */
function markerPieces(marks: Shown["marks"]): ExcerptRow["pieces"] {
  const columns = Math.max(...marks.map((mark) => mark.column + mark.columns));
  const row: string[] = Array.from({ length: columns }, () => " ");
  for (const mark of marks.toSorted((one, other) => Number(one.isPrimary) - Number(other.isPrimary)))
    row.fill(mark.isPrimary ? "^" : "-", mark.column, mark.column + mark.columns);
  return (row.join("").match(/ +|\^+|-+/g) ?? []).map((text) =>
    text.startsWith(" ") ? { text } : { text, isPrimary: text.startsWith("^") },
  );
}
