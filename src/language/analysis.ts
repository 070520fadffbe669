// The state of one analysis: the file, what is wrong with it so far, and how to find and read its annotations.
import type { DiagnosticCode } from "../text/codes.ts";
import type { Diagnostic, Fix, Label } from "../text/diagnostic.ts";
import type { Span } from "../text/source.ts";
import { nearestNames } from "../text/suggest.ts";
import { annotationKinds } from "./annotations.ts";
import type { Annotation, MappedText, ToolFile } from "./ast.ts";
import { type Match, matchRule, matchRuleWithRest, type MatchProblem, type Part, RULE_CHARACTERS_MAX, type RuleName } from "./grammar.ts";

/** What a person reads at a time, and what keeps a hostile file from costing more than it weighs. */
const DIAGNOSTICS_MAX = 50;
/** Of one file. A model is given all of a tool at once, and takes far less. */
const ANNOTATIONS_MAX = 5_000;
const ANNOTATION_CHARACTERS_MAX = 131_072;
/** "Did you mean" compares with every known name. */
const NAMES_COMPARED_MAX = 500;

export interface Details {
  readonly at: Span;
  /** Beside the marker. */
  readonly label?: string;
  readonly related?: readonly Label[];
  readonly help?: readonly string[];
  readonly fix?: Fix | undefined;
}

export class Analysis {
  readonly file: ToolFile;
  readonly annotations: readonly Annotation[];
  readonly #diagnostics: Diagnostic[] = [];
  readonly #byKeyword = new Map<string, Annotation[]>();
  /** What lines say whose keyword is mistyped, by the keyword that they surely mean: so that one slip is one message. */
  readonly #meant = new Map<string, MappedText[]>();

  constructor(file: ToolFile) {
    this.file = file;
    this.annotations = file.annotations.slice(0, readableAnnotations(file.annotations));
    const next = file.annotations[this.annotations.length];
    if (next) this.error("too-large", `a file has at most ${ANNOTATIONS_MAX} annotations with ${ANNOTATION_CHARACTERS_MAX} characters`, { at: next.keywordSpan, label: "not read from here on" });
    for (const annotation of this.annotations) {
      const known = this.#byKeyword.get(annotation.keyword);
      if (known) known.push(annotation);
      else this.#byKeyword.set(annotation.keyword, [annotation]);
    }
  }

  error(code: DiagnosticCode, message: string, details: Details): void {
    this.#diagnostics.push(diagnostic({ severity: "error", code, message }, details));
  }

  warn(code: DiagnosticCode, message: string, details: Details): void {
    this.#diagnostics.push(diagnostic({ severity: "warning", code, message }, details));
  }

  add(diagnostics: readonly Diagnostic[]): void {
    this.#diagnostics.push(...diagnostics);
  }

  all(keyword: string): readonly Annotation[] {
    return this.#byKeyword.get(keyword) ?? [];
  }

  /** The first; that there are more is reported elsewhere. */
  first(keyword: string): Annotation | undefined {
    return this.#byKeyword.get(keyword)?.[0];
  }

  has(keyword: string): boolean {
    return this.#byKeyword.has(keyword);
  }

  noteMeant(keyword: string, text: MappedText): void {
    const known = this.#meant.get(keyword);
    if (known) known.push(text);
    else this.#meant.set(keyword, [text]);
  }

  meant(keyword: string): readonly MappedText[] {
    return this.#meant.get(keyword) ?? [];
  }

  /** Its text against the strict rule of its keyword; reports where that does not match. */
  read(annotation: Annotation, rule: RuleName): Part | undefined {
    return this.#accepted(annotation, matchRule(rule, annotation.text));
  }

  /** The same for rules that end in free text. */
  readWithRest(annotation: Annotation, rule: RuleName, before: { readonly words: number; readonly hasBrackets: boolean }): Part | undefined {
    return this.#accepted(annotation, matchRuleWithRest(rule, annotation.text, before));
  }

  #accepted(annotation: Annotation, match: Match): Part | undefined {
    if (match.part) return match.part;
    this.malformed(annotation, match.problem);
    return undefined;
  }

  malformed(annotation: Annotation, problem: MatchProblem, fix?: Fix): void {
    const form = annotationKinds.get(annotation.keyword)?.form ?? "";
    this.unreadable("malformed-annotation", `\`@${annotation.keyword}\` is written \`@${annotation.keyword} ${form}\``, { ...problem, fix });
  }

  unreadable(code: DiagnosticCode, message: string, problem: MatchProblem & { readonly fix?: Fix | undefined }): void {
    switch (problem.kind) {
      case "unexpected":
        this.error(code, message, { at: problem.span, label: `expected ${problem.expected}`, fix: problem.fix });
        break;
      case "too-deep":
        this.error("too-deep", "this nests deeper than anyone reads", { at: problem.span, label: "the brackets up to here are open", help: ["name the inner parts with `@type`"] });
        break;
      case "too-large":
        this.error("too-large", `this is longer than ${RULE_CHARACTERS_MAX} characters`, { at: { ...problem.span, end: problem.span.start + 1 } });
        break;
    }
  }

  /** In the order of the text. */
  diagnostics(): readonly Diagnostic[] {
    const sorted = this.#diagnostics.toSorted((one, other) => (one.at?.span.start ?? 0) - (other.at?.span.start ?? 0));
    if (sorted.length <= DIAGNOSTICS_MAX) return sorted;
    const kept = sorted.slice(0, DIAGNOSTICS_MAX);
    const hidden = sorted.slice(DIAGNOSTICS_MAX);
    const next = hidden[0]?.at?.span;
    const severity = hidden.some((one) => one.severity === "error") ? "error" : "warning";
    const more = diagnostic({ severity, code: "too-many", message: `there are ${hidden.length} more from here on` }, { at: next ?? this.startOfFile(), help: ["repair the first ones and check again"] });
    return [...kept, more];
  }

  startOfFile(): Span {
    return { source: this.file.source, start: 0, end: 0 };
  }
}

/** How many of them are read. */
function readableAnnotations(annotations: readonly Annotation[]): number {
  let characters = 0;
  const end = annotations.findIndex((annotation, index) => {
    characters += annotation.text.text.length + (annotation.body?.text.length ?? 0);
    return index >= ANNOTATIONS_MAX || characters > ANNOTATION_CHARACTERS_MAX;
  });
  return end === -1 ? annotations.length : end;
}

function diagnostic(headline: Pick<Diagnostic, "severity" | "code" | "message">, details: Details): Diagnostic {
  return {
    ...headline,
    at: { span: details.at, text: details.label ?? "" },
    related: details.related ?? [],
    help: details.help ?? [],
    ...(details.fix ? { fix: details.fix } : {}),
  };
}

export function nearestOf(wanted: string, known: readonly string[]): string | undefined {
  return nearestNames(wanted, known.slice(0, NAMES_COMPARED_MAX))[0];
}

export function replacing(span: Span, text: string, title = `use \`${text}\``): Fix {
  return { title, edits: [{ span, text }] };
}

/** The one part of that rule. */
export function partOf(part: Part, rule: RuleName): Part | undefined {
  return part.parts.find((inner) => inner.rule === rule);
}

export function partsOf(part: Part, rule: RuleName): readonly Part[] {
  return part.parts.filter((inner) => inner.rule === rule);
}
