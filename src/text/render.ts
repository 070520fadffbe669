// A diagnostic as people read it: the headline, the places with their notes, then what to do.
import type { Diagnostic, Label } from "./diagnostic.ts";
import { printable } from "./display.ts";
import { excerptRows, type Mark } from "./excerpt.ts";
import { positionOf, type SourceFile } from "./source.ts";

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
