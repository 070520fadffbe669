// How a definition goes on: the answer to a completion. The text is hardly ever sound while it is typed, so a place is told
// by the text between its annotation and the cursor.
import type { KnownAround, Suggestion } from "../../core/language/author-help.ts";
import { plainTypeNames } from "../../core/language/fields/types.ts";
import { annotationKinds } from "../../core/language/syntax/annotations.ts";
import type { Annotation, ToolFile } from "../../core/language/syntax/ast.ts";
import { parseToolFile } from "../../core/language/syntax/parse.ts";
import type { Parameter, ParameterSchema } from "../../core/schema/parameter.ts";
import { firstSentence } from "../../core/text/first-sentence.ts";
import type { SourceFile } from "../../core/text/source.ts";
import { isYamlPath } from "../../core/text/source-language.ts";
import { stepFields } from "../../core/tool/step.ts";
import { languageDocs } from "../../generated/language-docs.ts";
import { ownDefinition, parametersOf } from "./explained.ts";
import { baseOf, marksOf } from "./marks.ts";

type Offer = Pick<Suggestion, "text" | "kind" | "does">;

/** The limit of the text between an annotation and the cursor. */
const BEFORE_CHARACTERS_MAX = 4_000;

export async function suggestions(
  source: SourceFile,
  offset: number,
  around: KnownAround,
): Promise<readonly Suggestion[]> {
  if (isYamlPath(source.path)) return (await import("./yaml-place.ts")).suggestedKeys(source, offset, around);
  const file = parseToolFile(source);
  const line = source.text.slice(source.text.lastIndexOf("\n", offset - 1) + 1, offset);
  const [word = ""] = /[\w/:.-]*$/.exec(line.slice(-BEFORE_CHARACTERS_MAX)) ?? [];
  const isKeyword = /^[ \t]*@[\w-]*$/.test(line);
  const annotation = isKeyword ? undefined : annotationBefore(file, offset);
  if (!isKeyword && !annotation) return [];
  const place = annotation && {
    annotation,
    file,
    around,
    line,
    before: source.text.slice(annotation.keywordSpan.end, offset),
  };
  const rule =
    place &&
    rules.find(
      ({ keywords, pattern }) => (!keywords || keywords.has(annotation.keyword)) && pattern.test(place.before),
    );
  const offers = isKeyword
    ? annotationOffers(file, offset)
    : place && rule
      ? rule.offers(place, rule.pattern.exec(place.before) ?? [])
      : [];
  const replaced = isKeyword ? line.trimStart() : (rule?.replaces?.exec(line)?.[0] ?? word);
  const end = offset + (/^[\w-]*/.exec(source.text.slice(offset, offset + BEFORE_CHARACTERS_MAX))?.[0].length ?? 0);
  const span = { source, start: offset - replaced.length, end };
  return offers.map((offer) => ({ ...offer, span }));
}

/** The annotation that goes on at the offset. */
function annotationBefore(file: ToolFile, offset: number): Annotation | undefined {
  const found = file.annotations.findLast(({ keywordSpan }) => keywordSpan.end < offset);
  if (!found || offset - found.keywordSpan.end > BEFORE_CHARACTERS_MAX) return undefined;
  const between = found.span.source.text.slice(found.span.end, Math.max(found.span.end, offset));
  return /\n[ \t]*\r?\n/.test(between) ? undefined : found;
}

interface Place {
  readonly annotation: Annotation;
  readonly file: ToolFile;
  readonly around: KnownAround;
  /** The line before the cursor. */
  readonly line: string;
  /** What is between the keyword and the cursor. */
  readonly before: string;
}

interface Rule {
  /** Absent: all. */
  readonly keywords?: ReadonlySet<string>;
  /** Matches what is between the keyword and the cursor. */
  readonly pattern: RegExp;
  /** Matches the end of the line that is replaced; else the word before the cursor is. */
  readonly replaces?: RegExp;
  offers(place: Place, found: readonly string[]): readonly Offer[];
}

const of = (...keywords: readonly string[]): ReadonlySet<string> => new Set(keywords);
const NAME_END = /[\w-]*$/;

/** The first that matches answers. */
const rules: readonly Rule[] = [
  {
    keywords: of("env"),
    pattern: /=[ \t]*secret:[\w-]*$/,
    replaces: NAME_END,
    offers: ({ around }) => around.secrets.map((name) => plain(name, "value")),
  },
  { keywords: of("wrapped"), pattern: /^[ \t]+[\w/:.-]*$/, offers: toolOffers },
  { keywords: of("depends"), pattern: /[\s,][\w/-]*$/, offers: toolOffers },
  { keywords: of("step", "cleanup"), pattern: /^[^[\n]*\buses[ \t]+[\w/:.-]*$/, offers: toolOffers },
  { keywords: of("allow"), pattern: /^[ \t]+tools\.call[ \t]+[\w/:.-]*$/, offers: toolOffers },
  // References: `{step.field`, then `{name`.
  {
    pattern: /(?<![{$])\{([\w-]+)\.[\w-]*$/,
    replaces: NAME_END,
    offers: ({ file }, [, root]) =>
      stepNames(file).includes(root ?? "") ? stepFields.map((field) => plain(field, "value")) : [],
  },
  {
    keywords: of("param", "property", "returns"),
    pattern: /^[^[\n]*\{[^}\n]*$/,
    replaces: NAME_END,
    offers: typeOffers,
  },
  { keywords: of("param", "property"), pattern: /\[[^\]\n]*\bdefault=[\w-]*$/, replaces: NAME_END, offers: ownChoices },
  {
    keywords: of("param", "property"),
    pattern: /\[(?:[^\]\n]*[\s,])?[a-z-]*$/,
    offers: () => docsOffers(languageDocs.parameterOptions, "option"),
  },
  {
    keywords: of("step"),
    pattern: /\[[^\]\n]*\bwait-for=(?:[\w-]+,)*[\w-]*$/,
    replaces: NAME_END,
    offers: ({ file }) => stepNames(file).map((name) => plain(name, "step")),
  },
  { pattern: /(?<![{$])\{[\w-]*$/, replaces: NAME_END, offers: referenceOffers },
  {
    keywords: of("step"),
    pattern: /\bwhen=[^\]\n]*\}[ \t]+[a-z]*$/,
    offers: () => ["contains", "matches"].map((word) => plain(word, "value")),
  },
  {
    keywords: of("step"),
    pattern: /^[^\n]*\[(?:[^\]\n]*[\s,])?[a-z-]*$/,
    offers: () => docsOffers(languageDocs.stepOptions, "option"),
  },
  {
    keywords: of("step"),
    pattern: /^[ \t]+[\w-]+[ \t]+[a-z]*$/,
    offers: () => docsOffers(languageDocs.stepKinds, "kind"),
  },
  { keywords: of("cleanup"), pattern: /^[ \t]+[a-z]*$/, offers: () => docsOffers(languageDocs.stepKinds, "kind") },
  // Arguments: of the wrapped tool, and in the lines below a step that uses a tool.
  {
    keywords: of("with", "default"),
    pattern: /^[ \t]+[\w-]*$/,
    offers: (place) => parameterOffers(baseOf(place.file), place),
  },
  {
    keywords: of("with", "default"),
    pattern: /^[ \t]+([\w-]+)[ \t]*=[ \t]*[\w-]*$/,
    replaces: NAME_END,
    offers: (place, [, name]) => choiceOffers(parametersOf(baseOf(place.file), place.around), name),
  },
  {
    keywords: of("step", "cleanup"),
    pattern: /\n[ \t]+[\w-]*$/,
    offers: (place) => parameterOffers(usedTool(place), place),
  },
  {
    keywords: of("step", "cleanup"),
    pattern: /\n[ \t]+([\w-]+)[ \t]*=[ \t]*[\w-]*$/,
    replaces: NAME_END,
    offers: (place, [, name]) => choiceOffers(parametersOf(usedTool(place), place.around), name),
  },
  { pattern: /[\s,][\w:.-]*$/, offers: ({ annotation }) => wordOffers(annotation.keyword) },
];

const plain = (text: string, kind: Suggestion["kind"], does = ""): Offer => ({ text, kind, does });

function annotationOffers(file: ToolFile, offset: number): readonly Offer[] {
  const given = new Set(
    file.annotations
      .filter(({ keywordSpan: { start, end } }) => offset < start || offset > end)
      .map(({ keyword }) => keyword),
  );
  return [...annotationKinds]
    .filter(([keyword, { repeats }]) => repeats || !given.has(keyword))
    .map(([keyword]) => plain(`@${keyword}`, "annotation", languageDocs.annotations[keyword]?.does));
}

function docsOffers(
  docs: (typeof languageDocs)[keyof typeof languageDocs],
  kind: Suggestion["kind"],
): readonly Offer[] {
  return Object.entries(docs).map(([word, { does }]) => plain(word, kind, does));
}

function toolOffers({ around: { registry } }: Place): readonly Offer[] {
  return registry
    .names()
    .map((name) => plain(name, "tool", firstSentence(registry.find(name)?.definition.description ?? "")));
}

function typeOffers({ file }: Place): readonly Offer[] {
  const own = marksOf(file)
    .filter(({ kind }) => kind === "namedType")
    .map(({ text }) => plain(text, "type"));
  return [...["array", ...plainTypeNames].map((type) => plain(type, "type", languageDocs.types[type]?.does)), ...own];
}

function stepNames(file: ToolFile): readonly string[] {
  return marksOf(file)
    .filter(({ kind }) => kind === "step")
    .map(({ text }) => text);
}

function referenceOffers({ file }: Place): readonly Offer[] {
  const described = new Map(ownDefinition(file)?.parameters.map(({ name, description }) => [name, description]));
  const names = marksOf(file).filter(({ kind, annotation }) => kind === "parameter" && annotation.keyword === "param");
  return [
    ...names.map(({ text }) => plain(text, "parameter", firstSentence(described.get(text) ?? ""))),
    ...stepNames(file).map((name) => plain(name, "step")),
  ];
}

/** The declaration has no default yet, so it cannot be read as a whole. */
function ownChoices({ annotation }: Place): readonly Offer[] {
  const [, type = ""] = /\{([^}]*)\}/.exec(annotation.text.text) ?? [];
  if (type.trim() === "boolean") return ["true", "false"].map((word) => plain(word, "value"));
  return [...type.matchAll(/"([^"]*)"|-?\d[\d.]*/g)].map(([whole, text = whole]) => plain(text, "value"));
}

function choiceOffers(parameters: readonly Parameter[], name: string | undefined): readonly Offer[] {
  const parameter = parameters.find((one) => one.name === name);
  return parameter ? choicesOf(parameter.schema).map((choice) => plain(choice, "value")) : [];
}

function choicesOf(schema: ParameterSchema): readonly string[] {
  switch (schema.type) {
    case "string":
    case "integer":
    case "number":
      return (schema.choices ?? []).map(String);
    case "boolean":
      return ["true", "false"];
    case "array":
      return choicesOf(schema.items);
    case "object":
      return [];
  }
}

function parameterOffers(tool: string | undefined, { around }: Place): readonly Offer[] {
  return parametersOf(tool, around).map(({ name, description }) =>
    plain(name, "parameter", firstSentence(description)),
  );
}

/** The tool of a step, from its first line. */
function usedTool({ before }: Place): string | undefined {
  return /^[^[\n]*\buses[ \t]+([\w/:.-]+)/.exec(before)?.[1];
}

/** Returns the words of an annotation that takes only these. */
function wordOffers(keyword: string): readonly Offer[] {
  const { words, does = "" } = languageDocs.annotations[keyword] ?? {};
  const said =
    annotationKinds.get(keyword)?.rule === "words"
      ? [...does.matchAll(/`([\w:]+)`/g)].map(([, word = ""]) => word)
      : [];
  return (words ?? said).map((word) => plain(word, "value"));
}
