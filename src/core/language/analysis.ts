// The state of one analysis: the file, its problems so far, and how to find and read its annotations.
import type { Fix } from "../text/diagnostic.ts";
import { annotationKinds } from "./syntax/annotations.ts";
import type { Annotation, MappedText, ToolFile } from "./syntax/ast.ts";
import { Findings } from "./findings.ts";
import {
  type LineMatch,
  matchRule,
  matchRuleWithRest,
  type MatchProblem,
  type Part,
  type RuleName,
} from "./syntax/grammar.ts";

export { type Details, nearestOf, replacing } from "./findings.ts";

/** The limit for one file. A model gets the whole tool at once, and accepts far less. */
const ANNOTATIONS_MAX = 5_000;
const ANNOTATION_CHARACTERS_MAX = 131_072;

export class Analysis extends Findings {
  readonly file: ToolFile;
  readonly annotations: readonly Annotation[];
  readonly #byKeyword = new Map<string, Annotation[]>();
  /**
   * Texts of lines with a misspelled keyword, by the keyword that is surely meant, so that one mistake is one message.
   */
  readonly #meant = new Map<string, MappedText[]>();

  constructor(file: ToolFile) {
    super(file.source);
    this.file = file;
    this.annotations = file.annotations.slice(0, readableAnnotations(file.annotations));
    const next = file.annotations[this.annotations.length];
    if (next)
      this.cut(`a file has at most ${ANNOTATIONS_MAX} annotations with ${ANNOTATION_CHARACTERS_MAX} characters`, {
        at: next.keywordSpan,
        label: "the rest is not read",
      });
    for (const annotation of this.annotations) {
      const known = this.#byKeyword.get(annotation.keyword);
      if (known) known.push(annotation);
      else this.#byKeyword.set(annotation.keyword, [annotation]);
    }
  }

  all(keyword: string): readonly Annotation[] {
    return this.#byKeyword.get(keyword) ?? [];
  }

  /** Returns the first one; duplicates are reported elsewhere. */
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

  /** Matches the text with the strict rule of its keyword, and reports where it does not match. */
  read(annotation: Annotation, rule: RuleName): Part | undefined {
    return this.#accepted(annotation, matchRule(rule, annotation.text));
  }

  /** Matches the text with a rule that ends in free text. */
  readWithRest(
    annotation: Annotation,
    rule: RuleName,
    before: { readonly words: number; readonly hasBrackets: boolean },
  ): Part | undefined {
    return this.#accepted(annotation, matchRuleWithRest(rule, annotation.text, before));
  }

  #accepted(annotation: Annotation, match: LineMatch): Part | undefined {
    if (match.part) return match.part;
    this.malformed(annotation, match.problem);
    return undefined;
  }

  malformed(annotation: Annotation, problem: MatchProblem, fix?: Fix): void {
    const form = annotationKinds.get(annotation.keyword)?.form ?? "";
    this.unreadable(
      "malformed-annotation",
      `\`@${annotation.keyword}\` must be written as \`@${annotation.keyword} ${form}\``,
      { ...problem, fix },
    );
  }
}

/** Returns the number of annotations within the limits. */
function readableAnnotations(annotations: readonly Annotation[]): number {
  let characters = 0;
  const end = annotations.findIndex((annotation, index) => {
    characters += annotation.text.text.length + (annotation.body?.text.length ?? 0);
    return index >= ANNOTATIONS_MAX || characters > ANNOTATION_CHARACTERS_MAX;
  });
  return end === -1 ? annotations.length : end;
}

/** Returns the only part with this rule. */
export function partOf(part: Part, rule: RuleName): Part | undefined {
  return part.parts.find((inner) => inner.rule === rule);
}

export function partsOf(part: Part, rule: RuleName): readonly Part[] {
  return part.parts.filter((inner) => inner.rule === rule);
}
