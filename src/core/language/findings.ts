// The problems found in one file so far, in any language. Diagnostics are collected here while the file is read.
import type { DiagnosticCode } from "../text/codes.ts";
import type { Diagnostic, Fix, Label } from "../text/diagnostic.ts";
import type { SourceFile, Span } from "../text/source.ts";
import { sureName } from "../text/suggest.ts";
import { languageOf } from "../text/source-language.ts";
import { type MappedText, spanWithin } from "./syntax/ast.ts";
import type { MatchProblem } from "./syntax/grammar.ts";

/**
 * The limit of diagnostics: enough for a person to read at a time, and small enough that a hostile file costs little.
 */
const DIAGNOSTICS_MAX = 50;
/** The limit of names for "did you mean", which compares with each. */
const NAMES_COMPARED_MAX = 500;

export interface Details {
  readonly at: Span;
  /** The text beside the marker. */
  readonly label?: string;
  readonly related?: readonly Label[];
  readonly help?: readonly string[];
  readonly fix?: Fix | undefined;
  readonly offers?: Diagnostic["offers"] | undefined;
}

export class Findings {
  readonly source: SourceFile;
  readonly #diagnostics: Diagnostic[] = [];
  #isCut = false;

  constructor(source: SourceFile) {
    this.source = source;
  }

  error(code: DiagnosticCode, message: string, details: Details): void {
    this.add([diagnosticOf(code, message, details)]);
  }

  warn(code: DiagnosticCode, message: string, details: Details): void {
    this.add([{ ...diagnosticOf(code, message, details), severity: "warning" }]);
  }

  /** Reports a word that is not known, with the one that is meant, or with `help`. */
  unknown(
    code: DiagnosticCode,
    message: string,
    { at, meant, help = [] }: Pick<Details, "at" | "help"> & { readonly meant: string | undefined },
  ): void {
    if (meant === undefined) this.error(code, message, { at, help });
    else this.error(code, message, { at, label: `did you mean \`${meant}\`?`, fix: replacing(at, meant) });
  }

  add(diagnostics: readonly Diagnostic[]): void {
    this.#diagnostics.push(...(this.#isCut ? diagnostics.flatMap(withoutRest) : diagnostics));
  }

  /** Marks the file as partly read: missing names may be in the rest, so no fix is certain. */
  cut(message: string, details: Details): void {
    this.error("too-large", message, details);
    this.lacksNames();
  }

  /** Says that names could not be read: that one is missing is not reported from now on. */
  lacksNames(): void {
    this.#isCut = true;
  }

  unreadable(code: DiagnosticCode, message: string, problem: MatchProblem & { readonly fix?: Fix | undefined }): void {
    switch (problem.kind) {
      case "unexpected":
        this.error(code, message, { at: problem.span, label: `expected ${problem.expected}`, fix: problem.fix });
        break;
      case "too-deep":
        this.error("too-deep", "this is nested too deep", {
          at: problem.span,
          label: "too many brackets are open here",
          help: ["name the inner parts with `@type`"],
        });
        break;
      case "too-large":
        this.error("too-large", `this is longer than ${problem.charactersMax} characters`, {
          at: { ...problem.span, end: problem.span.start + 1 },
        });
        break;
    }
  }

  /** Returns the diagnostics in the order of the text. */
  diagnostics(): readonly Diagnostic[] {
    const sorted = this.#diagnostics.toSorted((one, other) => (one.at?.span.start ?? 0) - (other.at?.span.start ?? 0));
    if (sorted.length <= DIAGNOSTICS_MAX) return sorted;
    const kept = sorted.slice(0, DIAGNOSTICS_MAX);
    const hidden = sorted.slice(DIAGNOSTICS_MAX);
    const next = hidden[0]?.at?.span;
    const severity = hidden.some((one) => one.severity === "error") ? "error" : "warning";
    const help = ["fix these first, and check again"];
    const at = next ?? this.startOfFile();
    return [
      ...kept,
      { ...diagnosticOf("too-many", `${hidden.length} more problems are not shown`, { at, help }), severity },
    ];
  }

  startOfFile(): Span {
    return { source: this.source, start: 0, end: 0 };
  }
}

/** Codes that say that something is nowhere in the file. */
const OF_WHOLE_FILE = new Set<DiagnosticCode>([
  "missing-name",
  "missing-wrapped",
  "missing-command",
  "unknown-type",
  "unknown-placeholder",
  "unknown-step",
  "unused-parameter",
]);

function withoutRest({ fix: _fix, ...rest }: Diagnostic): readonly Diagnostic[] {
  return OF_WHOLE_FILE.has(rest.code) ? [] : [rest];
}

/** Returns an error. */
export function diagnosticOf(code: DiagnosticCode, message: string, details: Details): Diagnostic {
  return {
    severity: "error",
    code,
    message,
    at: { span: details.at, text: details.label ?? "" },
    related: details.related ?? [],
    help: details.help ?? [],
    ...(details.fix ? { fix: details.fix } : {}),
    ...(details.offers ? { offers: details.offers } : {}),
  };
}

/**
 * Returns the name that is surely meant. Undefined for very many names: comparing only some could suggest the wrong
 * one.
 */
export function nearestOf(wanted: string, known: readonly string[]): string | undefined {
  return known.length > NAMES_COMPARED_MAX ? undefined : sureName(wanted, known);
}

/** Puts a part of a command in single quotes, which are doubled in a scalar of YAML that is in such quotes itself. */
export function inSingleQuotes(text: MappedText, start: number, end: number): Fix {
  const { source, start: first } = text.span;
  const quote = languageOf(source) === "yaml" && source.text[first - 1] === "'" ? "''" : "'";
  const edits = [start, end].map((at) => ({ span: spanWithin(text, at, at), text: quote }));
  return { title: "put it in single quotes", edits };
}

export function replacing(span: Span, text: string, title = `use \`${text}\``): Fix {
  return { title, edits: [{ span, text }] };
}
