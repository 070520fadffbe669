// A diagnostic as `check --json` prints it, for editors and scripts.
import type { DiagnosticCode } from "./codes.ts";
import type { Diagnostic, Fix } from "./diagnostic.ts";
import { positionOf, type Span } from "./source.ts";

/** A place. Lines and columns are 1-based, columns count UTF-16 units, and the end is after the last character. */
interface PlaceJson {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export interface DiagnosticJson {
  readonly code: DiagnosticCode;
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
  /** The problem at the place itself. */
  readonly label?: string;
  /** Other places that explain it. */
  readonly labels: readonly (PlaceJson & { readonly text: string })[];
  readonly help: readonly string[];
  readonly fix?: FixJson;
  /** Changes of the meaning that a person chooses between. */
  readonly offers?: readonly FixJson[];
}

interface FixJson {
  readonly title: string;
  readonly edits: readonly (PlaceJson & { readonly text: string })[];
}

export function diagnosticJson(diagnostic: Diagnostic): DiagnosticJson {
  const { code, severity, message, at, related, help, fix, offers } = diagnostic;
  return {
    code,
    severity,
    message,
    ...(at ? placeOf(at.span) : {}),
    ...(at && at.text !== "" ? { label: at.text } : {}),
    labels: related.map((label) => ({ ...placeOf(label.span), text: label.text })),
    help,
    ...(fix ? { fix: fixJson(fix) } : {}),
    ...(offers && offers.length > 0 ? { offers: offers.map(fixJson) } : {}),
  };
}

function fixJson({ title, edits }: Fix): FixJson {
  return { title, edits: edits.map((edit) => ({ ...placeOf(edit.span), text: edit.text })) };
}

function placeOf(span: Span): PlaceJson {
  const start = positionOf(span.source, span.start);
  const end = positionOf(span.source, span.end);
  return { path: span.source.path, line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
}
