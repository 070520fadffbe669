// The words of a `.tool` file that mean something to an editor, each with its place: what is shown, found, counted and
// renamed are these. Every text has marks; a line with mistakes has fewer.
import { annotationKinds } from "../../core/language/syntax/annotations.ts";
import { type Annotation, type MappedText, spanWithin, type ToolFile } from "../../core/language/syntax/ast.ts";
import {
  matchDeclaration,
  matchRule,
  matchRuleWithRest,
  type Part,
  type RuleName,
} from "../../core/language/syntax/grammar.ts";
import { sliced } from "../../core/language/syntax/mapped-text.ts";
import { parseToolFile } from "../../core/language/syntax/parse.ts";
import { valuePlaces } from "../../core/language/syntax/value-places.ts";
import type { SourceFile, Span } from "../../core/text/source.ts";
import { isYamlPath } from "../../core/text/source-language.ts";

export type MarkKind =
  | "keyword"
  | "name"
  | "tool"
  /** Declared here. */
  | "parameter"
  | "step"
  | "namedType"
  /** Of the tool `owner`. */
  | "toolParameter"
  /** In braces, in the arguments of an example or test, or after `wait-for`. */
  | "reference"
  | "type"
  | "parameterOption"
  | "stepOption"
  | "stepKind";

export interface Mark {
  readonly kind: MarkKind;
  readonly text: string;
  readonly span: Span;
  readonly annotation: Annotation;
  readonly owner?: string;
}

/** The tool that the file is made from. */
export function baseOf(file: ToolFile): string {
  return file.annotations.find(({ keyword }) => keyword === "wrapped")?.text.text ?? "run_command";
}

export function marksIn(source: SourceFile): readonly Mark[] {
  return isYamlPath(source.path) ? [] : marksOf(parseToolFile(source));
}

/** The word that the offset is in, or directly behind. */
export function markAt(source: SourceFile, offset: number): Mark | undefined {
  return marksIn(source).find(({ span }) => span.start <= offset && offset <= span.end);
}

/** The limit of marks of a file, which none that a person writes reaches. */
const MARKS_MAX = 20_000;

/** In the order of the text. */
export function marksOf(file: ToolFile): readonly Mark[] {
  const found: Mark[] = [];
  for (const annotation of file.annotations) {
    const { keyword: text, keywordSpan: span } = annotation;
    if (annotationKinds.has(text)) found.push({ kind: "keyword", text, span, annotation });
    for (const mark of headMarks(annotation, file)) found.push(mark);
    for (const { name, span: at } of valuePlaces(annotation, file))
      found.push({ kind: "reference", text: name, span: at, annotation });
    if (found.length > MARKS_MAX) break;
  }
  const names = new Set(found.flatMap(({ kind, text }) => (kind === "parameter" || kind === "step" ? [text] : [])));
  return found
    .filter(({ kind, text }) => kind !== "reference" || names.has(text))
    .sort((one, other) => one.span.start - other.span.start);
}

/** Each rule whose parts are marks, by the part's own name. */
const partKinds: Readonly<Partial<Record<RuleName, MarkKind>>> = {
  toolName: "tool",
  stepName: "step",
  kindWord: "stepKind",
};

function headMarks(annotation: Annotation, file: ToolFile): readonly Mark[] {
  const { keyword, text } = annotation;
  const mark = (kind: MarkKind, mapped: MappedText, owner?: string): Mark => ({
    kind,
    text: mapped.text,
    span: mapped.span,
    annotation,
    ...(owner === undefined ? {} : { owner }),
  });
  switch (keyword) {
    case "name":
      return text.text === "" ? [] : [mark("name", text)];
    case "wrapped":
    case "depends":
    case "cleanup":
    case "step": {
      const { part } = matchRule(ruleOf[keyword], text);
      const own = part ? partMarks(part, keyword, mark) : [];
      const uses = own.find(({ kind }) => kind === "tool")?.text;
      return uses === undefined || keyword === "wrapped" ? own : [...own, ...argumentMarks(annotation, uses)];
    }
    case "param":
    case "property":
    case "type":
    case "returns": {
      const { part } = matchDeclaration(keyword === "type" ? "namedType" : keyword, text);
      return part ? partMarks(part, keyword, mark) : [];
    }
    case "with":
    case "default": {
      const { part } = matchRuleWithRest("assignment", text, { words: 2, hasBrackets: false });
      const target = part?.parts.find(({ rule }) => rule === "target");
      return target ? [mark("toolParameter", target.text, baseOf(file))] : [];
    }
    case "allow": {
      const [, before, name] = /^(tools\.call[ \t]+)([\w/:.-]+)$/.exec(text.text) ?? [];
      return before !== undefined && name !== undefined ? [mark("tool", sliced(text, before.length))] : [];
    }
    default:
      return [];
  }
}

const ruleOf = { wrapped: "toolReference", depends: "depends", cleanup: "cleanupStep", step: "step" } as const;

function partMarks(part: Part, keyword: string, mark: (kind: MarkKind, mapped: MappedText) => Mark): readonly Mark[] {
  return part.parts.flatMap((inner): readonly Mark[] => {
    const { rule, text } = inner;
    if (rule === "name") return [mark("parameter", text)];
    if (rule === "typeName") return [mark(part.rule === "namedType" ? "namedType" : "type", text)];
    if (rule === "optionName") return [mark(keyword === "step" ? "stepOption" : "parameterOption", text)];
    if (rule === "waitFor") return inner.parts.map(({ text: step }) => mark("reference", step));
    const kind = partKinds[rule as RuleName];
    return kind ? [mark(kind, text)] : partMarks(inner, keyword, mark);
  });
}

/** Returns the names of the arguments in the lines below a step that uses a tool. */
function argumentMarks(annotation: Annotation, owner: string): readonly Mark[] {
  const { body } = annotation;
  if (!body) return [];
  return [...body.text.matchAll(/^([ \t]*)([A-Za-z_][\w-]*)(?=[ \t]*=)/gm)].map(
    ({ index, 1: indent = "", 2: name = "" }) => {
      const start = index + indent.length;
      return {
        kind: "toolParameter",
        text: name,
        span: spanWithin(body, start, start + name.length),
        annotation,
        owner,
      };
    },
  );
}
