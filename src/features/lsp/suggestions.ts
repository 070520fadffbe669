// How a definition goes on: the answer to a completion. The text is hardly ever sound while it is typed, so a place is told
// by the text between its annotation and the cursor.
import type { KnownAround, Suggestion } from "../../core/language/author-help.ts";
import { annotationKinds } from "../../core/language/syntax/annotations.ts";
import type { Annotation, ToolFile } from "../../core/language/syntax/ast.ts";
import { parseToolFile } from "../../core/language/syntax/parse.ts";
import { choicesOf } from "../../core/schema/describe.ts";
import type { Parameter } from "../../core/schema/parameter.ts";
import { firstSentence } from "../../core/text/first-sentence.ts";
import type { SourceFile } from "../../core/text/source.ts";
import { stepFields } from "../../core/tool/step.ts";
import { languageDocs } from "../../generated/language-docs.ts";
import { ownDefinition, parametersOf } from "./explained.ts";
import { baseOf, marksOf } from "./marks.ts";

type Offer = Pick<Suggestion, "text" | "kind" | "does">;

/** The limit of the text between an annotation and the cursor. */
const BEFORE_CHARACTERS_MAX = 4_000;

export function suggestions(source: SourceFile, offset: number, around: KnownAround): readonly Suggestion[] {
  const file = parseToolFile(source);
  const { text } = source;
  const [, keyword] = /^[ \t]*(@[\w-]*)$/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset)) ?? [];
  const annotation = annotationBefore(file, offset);
  const before = annotation ? text.slice(annotation.keywordSpan.end, offset) : "";
  const rule = rules.find(([of, pattern]) => annotation && of.includes(annotation.keyword) && pattern.test(before));
  const found = rule?.[1].exec(before) ?? [];
  const start = offset - (keyword ?? found.at(-1) ?? "").length;
  const end = offset + (/^[\w-]*/.exec(text.slice(offset, offset + BEFORE_CHARACTERS_MAX))?.[0].length ?? 0);
  const offers = annotation && rule ? rule[2]({ annotation, file, around, before }, found) : [];
  return (keyword === undefined ? offers : annotationOffers(file, offset)).map((offer) => ({
    ...offer,
    span: { source, start, end },
  }));
}

/** The annotation that goes on at the offset: a blank line ends it. */
function annotationBefore(file: ToolFile, offset: number): Annotation | undefined {
  const found = file.annotations.findLast(({ keywordSpan }) => keywordSpan.end < offset);
  if (!found || offset - found.keywordSpan.end > BEFORE_CHARACTERS_MAX) return undefined;
  const behind = file.source.text.slice(found.span.end, Math.max(found.span.end, offset));
  return /\n[ \t]*\r?\n/.test(behind) ? undefined : found;
}

interface Place {
  readonly annotation: Annotation;
  readonly file: ToolFile;
  readonly around: KnownAround;
  /** What is between the keyword and the cursor. */
  readonly before: string;
}

/**
 * The keywords of a row, a pattern of what is between the keyword and the cursor, whose last group is replaced, and what is
 * offered there.
 */
type Rule = readonly [
  of: readonly string[],
  pattern: RegExp,
  offers: (place: Place, found: readonly string[]) => readonly Offer[],
];

const all = [...annotationKinds.keys()];
const [step, assigned] = [
  ["step", "cleanup"],
  ["with", "default"],
];
const declared = ["param", "property"];

/** The first that matches answers. */
const rules: readonly Rule[] = [
  [["env"], /=[ \t]*secret:([\w-]*)$/, ({ around }) => words(around.secrets, "value")],
  [["wrapped"], /^[ \t]+([\w/:.-]*)$/, toolOffers],
  [["depends"], /[\s,]([\w/-]*)$/, toolOffers],
  [step, /^[^[\n]*\buses[ \t]+([\w/:.-]*)$/, toolOffers],
  [["allow"], /^[ \t]+tools\.call[ \t]+([\w/:.-]*)$/, toolOffers],
  [
    all,
    /(?<![{$])\{([\w-]+)\.([\w-]*)$/,
    ({ file }, [, of = ""]) => words(stepsOf(file).includes(of) ? stepFields : [], "value"),
  ],
  [[...declared, "returns"], /^[^[\n]*\{(?:[^}\n]*[<|\s])?([\w-]*)$/, typeOffers],
  [declared, /\[[^\]\n]*\bdefault=([\w-]*)$/, ownChoices],
  [declared, /\[(?:[^\]\n]*[\s,])?([a-z-]*)$/, () => docsOffers(languageDocs.parameterOptions, "option")],
  [["step"], /\[[^\]\n]*\bwait-for=(?:[\w-]+,)*([\w-]*)$/, ({ file }) => words(stepsOf(file), "step")],
  [all, /(?<![{$])\{([\w-]*)$/, referenceOffers],
  [["step"], /\bwhen=[^\]\n]*\}[ \t]+([a-z]*)$/, () => words(["contains", "matches"], "value")],
  [["step"], /^[^\n]*\[(?:[^\]\n]*[\s,])?([a-z-]*)$/, () => docsOffers(languageDocs.stepOptions, "option")],
  [["step"], /^[ \t]+[\w-]+[ \t]+([a-z]*)$/, () => docsOffers(languageDocs.stepKinds, "kind")],
  [["cleanup"], /^[ \t]+([a-z]*)$/, () => docsOffers(languageDocs.stepKinds, "kind")],
  [assigned, /^[ \t]+([\w-]*)$/, (place) => parameterOffers(toolOf(place))],
  [assigned, /^[ \t]+([\w-]+)[ \t]*=[ \t]*([\w-]*)$/, (place, [, name]) => choiceOffers(toolOf(place), name)],
  [step, /\n[ \t]+([\w-]*)$/, (place) => parameterOffers(toolOf(place))],
  [step, /\n[ \t]+([\w-]+)[ \t]*=[ \t]*([\w-]*)$/, (place, [, name]) => choiceOffers(toolOf(place), name)],
  [all, /[\s,]([\w:.-]*)$/, ({ annotation }) => wordOffers(annotation.keyword)],
];

const plain = (text: string, kind: Suggestion["kind"], does = ""): Offer => ({ text, kind, does });

function words(all: readonly string[], kind: Suggestion["kind"]): readonly Offer[] {
  return all.map((word) => plain(word, kind));
}

/** Returns the annotations, but for those that may be given once and are. */
function annotationOffers({ annotations }: ToolFile, offset: number): readonly Offer[] {
  const others = annotations.filter(({ keywordSpan: { start, end } }) => offset < start || offset > end);
  return [...annotationKinds]
    .filter(([keyword, { repeats }]) => repeats || others.every((one) => one.keyword !== keyword))
    .map(([keyword]) => plain(`@${keyword}`, "annotation", languageDocs.annotations[keyword]?.does));
}

function docsOffers(docs: (typeof languageDocs)["types"], kind: Suggestion["kind"]): readonly Offer[] {
  return Object.entries(docs).map(([word, { does }]) => plain(word, kind, does));
}

function toolOffers({ around: { registry } }: Place): readonly Offer[] {
  const summary = (name: string): string => firstSentence(registry.find(name)?.definition.description ?? "");
  return registry.names().map((name) => plain(name, "tool", summary(name)));
}

function typeOffers({ file }: Place): readonly Offer[] {
  const own = marksOf(file).filter(({ kind }) => kind === "namedType");
  return [...docsOffers(languageDocs.types, "type"), ...own.map(({ text }) => plain(text, "type"))];
}

function stepsOf(file: ToolFile): readonly string[] {
  return marksOf(file).flatMap(({ kind, text }) => (kind === "step" ? [text] : []));
}

function referenceOffers({ file }: Place): readonly Offer[] {
  const described = new Map(ownDefinition(file)?.parameters.map(({ name, description }) => [name, description]));
  const own = marksOf(file).filter(({ kind, annotation }) => kind === "parameter" && annotation.keyword === "param");
  const parameters = own.map(({ text }) => plain(text, "parameter", firstSentence(described.get(text) ?? "")));
  return [...parameters, ...words(stepsOf(file), "step")];
}

/** The declaration has no default yet, so it cannot be read as a whole. */
function ownChoices({ annotation }: Place): readonly Offer[] {
  const [, type = ""] = /\{([^}]*)\}/.exec(annotation.text.text) ?? [];
  if (type.trim() === "boolean") return words(["true", "false"], "value");
  return [...type.matchAll(/"([^"]*)"|-?\d[\d.]*/g)].map(([whole, text = whole]) => plain(text, "value"));
}

/** The parameters of the wrapped tool, or of the one that a step uses. */
function toolOf({ annotation, file, around, before }: Place): readonly Parameter[] {
  const used = /^[^[\n]*\buses[ \t]+([\w/:.-]+)/.exec(before)?.[1];
  return parametersOf(assigned.includes(annotation.keyword) ? baseOf(file) : used, around);
}

function parameterOffers(parameters: readonly Parameter[]): readonly Offer[] {
  return parameters.map(({ name, description }) => plain(name, "parameter", firstSentence(description)));
}

function choiceOffers(parameters: readonly Parameter[], name: string | undefined): readonly Offer[] {
  const parameter = parameters.find((one) => one.name === name);
  return parameter ? words(choicesOf(parameter.schema), "value") : [];
}

/** Returns the words of an annotation that takes only these. */
function wordOffers(keyword: string): readonly Offer[] {
  const { words: only, does = "" } = languageDocs.annotations[keyword] ?? {};
  const said = annotationKinds.get(keyword)?.rule === "words" ? does.matchAll(/`([\w:]+)`/g) : [];
  return words(only ?? [...said].map(([, word = ""]) => word), "value");
}
