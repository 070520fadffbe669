// A problem of a definition, as data. Mistakes of authors are returned together and never thrown.
import type { DiagnosticCode } from "./codes.ts";
import type { Span } from "./source.ts";

export interface Label {
  readonly span: Span;
  /** The note at this place; it may be empty. */
  readonly text: string;
}

/** A change of the text. It is offered only if the fixed file parses. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly Edit[];
}

export interface Edit {
  readonly span: Span;
  readonly text: string;
}

export interface Diagnostic {
  /** Stable; `dottool explain-code CODE` prints its page. */
  readonly code: DiagnosticCode;
  readonly severity: "error" | "warning";
  /** One sentence with names in backquotes. Lower case, no full stop. */
  readonly message: string;
  /** Absent if no file is to blame, as with an unreadable folder. */
  readonly at?: Label;
  readonly related: readonly Label[];
  /** What to do next, the most likely first. */
  readonly help: readonly string[];
  readonly fix?: Fix;
  /** Changes of the meaning that a person chooses between, the most likely first; `check --fix` makes none of them. */
  readonly offers?: readonly Fix[];
}

/** A value, or why there is none. Warnings may come with a value. */
export interface Checked<T> {
  readonly value?: T;
  readonly diagnostics: readonly Diagnostic[];
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}
