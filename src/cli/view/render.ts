// A diagnostic as people read it: the headline, the places with their notes, then what to do.
import type { Diagnostic, Label } from "../../core/text/diagnostic.ts";
import { displayed, printable } from "../../core/text/display.ts";
import { type SourceFile, positionOf } from "../../core/text/source.ts";

/** The functions of picocolors. */
export interface Colors {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
  green(text: string): string;
}

const asIs = (text: string): string => text;
const noColors: Colors = { bold: asIs, dim: asIs, red: asIs, yellow: asIs, cyan: asIs, green: asIs };

/** Renders a diagnostic in several lines, without a line end after the last. */
export function renderDiagnostic(diagnostic: Diagnostic, options: { readonly color?: Colors } = {}): string {
  return new Rendering(diagnostic, options.color ?? noColors).text();
}

class Rendering {
  readonly #diagnostic: Diagnostic;
  readonly #color: Colors;
  readonly #primary: (text: string) => string;
  readonly #labels: readonly Label[];
  readonly #lines: string[] = [];
  /** As wide as the largest line number. */
  readonly #margin: string;

  constructor(diagnostic: Diagnostic, color: Colors) {
    this.#diagnostic = diagnostic;
    this.#color = color;
    this.#primary = diagnostic.severity === "error" ? color.red : color.yellow;
    this.#labels = [...(diagnostic.at ? [diagnostic.at] : []), ...diagnostic.related];
    this.#margin = " ".repeat(
      Math.max(1, ...this.#labels.map((label) => String(positionOf(label.span.source, label.span.start).line).length)),
    );
  }

  text(): string {
    const { severity, code, message, help, fix } = this.#diagnostic;
    this.#lines.push(
      `${this.#color.bold(this.#primary(`${severity}[${code}]`))}${this.#color.bold(`: ${printable(message)}`)}`,
    );
    for (const source of new Set(this.#labels.map((label) => label.span.source))) this.#file(source);
    if (fix) this.#note("fix", fix.title);
    for (const line of help) this.#note("help", line);
    return this.#lines.join("\n");
  }

  /** Renders all labels of one file under one header, in the order of the lines. */
  #file(source: SourceFile): void {
    const labels = this.#labels.filter((label) => label.span.source === source);
    const [first] = labels;
    if (!first) return;
    const { line, column } = positionOf(source, first.span.start);
    this.#gutter(`╭─ ${printable(source.path)}:${line}:${column}`);
    this.#gutter("│");
    const byLine = new Map<number, Label[]>();
    for (const label of labels) {
      const at = positionOf(source, label.span.start).line;
      byLine.set(at, [...(byLine.get(at) ?? []), label]);
    }
    let previous: number | undefined;
    for (const [at, onLine] of [...byLine].sort(([one], [other]) => one - other)) {
      if (previous !== undefined && at > previous + 1) this.#gutter("┆");
      this.#line(at, onLine);
      previous = at;
    }
    this.#gutter("╵");
  }

  #line(number: number, labels: readonly Label[]): void {
    const lineText = labels[0] ? positionOf(labels[0].span.source, labels[0].span.start).lineText : "";
    for (const rows of excerptRows(
      lineText,
      labels.map((label) => this.#mark(label, lineText.length)),
    )) {
      for (const row of rows) {
        const text = row.pieces.map((piece) => this.#paint(piece.text, piece.isPrimary)).join("");
        const margin = row.kind === "source" ? String(number).padStart(this.#margin.length) : this.#margin;
        this.#lines.push(`${this.#color.cyan(`${margin} │`)} ${text}`.trimEnd());
      }
    }
  }

  #mark(label: Label, lineLength: number): Mark {
    const start = positionOf(label.span.source, label.span.start).column - 1;
    const end = Math.min(lineLength, start + label.span.end - label.span.start);
    return { start, end: Math.max(start, end), text: printable(label.text), isPrimary: label === this.#diagnostic.at };
  }

  #paint(text: string, isPrimary: boolean | undefined): string {
    if (isPrimary === undefined) return text;
    return isPrimary ? this.#primary(text) : this.#color.cyan(text);
  }

  #gutter(text: string): void {
    this.#lines.push(`${this.#margin} ${this.#color.cyan(text)}`);
  }

  #note(kind: "fix" | "help", text: string): void {
    const mark = kind === "fix" ? this.#color.green("fix") : this.#color.bold("help");
    this.#lines.push(`${this.#margin} ${this.#color.cyan("=")} ${mark}: ${printable(text)}`);
  }
}

const LINE_COLUMNS_MAX = 100;
/** The columns before the first marker of a line that is cut. */
const BEFORE_MARKER_COLUMNS = 30;

interface Mark {
  /** UTF-16 indices into the line. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isPrimary: boolean;
}

interface ExcerptRow {
  /** `source` is the line itself, `marks` and `says` are below it, and `isPrimary` decides the colour. */
  readonly kind: "source" | "marks";
  readonly pieces: readonly { readonly text: string; readonly isPrimary?: boolean }[];
}

/** Returns the rows. If marks are too far apart for one excerpt, the line is shown twice. */
function excerptRows(line: string, marks: readonly Mark[]): readonly (readonly ExcerptRow[])[] {
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
