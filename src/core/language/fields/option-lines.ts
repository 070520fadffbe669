// `option-in-body`: lines of a command that look like an option or an annotation.
import type { Fix, Label } from "../../text/diagnostic.ts";
import type { Span } from "../../text/source.ts";
import type { Shell } from "../../tool/command.ts";
import { type Analysis, replacing } from "../analysis.ts";
import type { StepHead, StepKind } from "../kinds/step-heads.ts";
import { optionNameOf, stepOptionWords } from "../kinds/step-options.ts";
import { annotationKinds } from "../syntax/annotations.ts";
import { type Annotation, type MappedText, spanWithin } from "../syntax/ast.ts";
import { parseCondition } from "../syntax/condition.ts";
import { mappedText, sliced } from "../syntax/mapped-text.ts";
import { type LineReader, type OptionLine, optionLines, valueForms } from "../syntax/option-lines.ts";

interface Told {
  readonly line: OptionLine;
  readonly text: MappedText;
  readonly reader: LineReader;
  /** The noun in messages: `option of the step`, or `annotation`. */
  readonly noun: string;
  /** What the line is a part of if no shell reads it. */
  readonly wordsOf: string;
  /** The help: what to write instead. */
  readonly instead: string;
  readonly related: readonly Label[];
  readonly fix: Fix | undefined;
}

function tell({ line, text, reader, noun, wordsOf, instead, related, fix }: Told, analysis: Analysis): void {
  const place =
    reader === "none" ? `part of ${wordsOf}` : reader === "arguments" ? "one of the arguments" : "a line of the script";
  const quoted =
    reader === "none" && wordsOf === "the command" ? [`for the literal word, use quotes: \`'${line.key}:'\``] : [];
  const label = reader === "none" || reader === "arguments" ? "" : `${reader} would look for a program with this name`;
  const details = {
    at: spanWithin(text, line.start, line.keyEnd),
    label,
    related,
    help: [...(fix ? [] : [instead]), ...quoted],
    fix,
  };
  const message = `\`${line.key}:\` is ${place} here, not an ${noun}`;
  if (line.isSure) analysis.error("option-in-body", message, details);
  else analysis.warn("option-in-body", message, details);
}

/** `parts` are the body and, with `[fallback]`, the lines below `fallback:`. */
export function checkStepLines(
  head: StepHead,
  parts: readonly (readonly [text: MappedText | undefined, of: StepKind])[],
  analysis: Analysis,
): void {
  for (const [text, of] of parts) {
    if (!text) continue;
    const kind = of.tool ? "uses" : of.kind.text;
    const reader = readerOfKind(kind);
    if (reader === undefined) checkOtherText(head, { text, kind }, analysis);
    else {
      for (const line of optionLines(text.text, reader, stepOptionWords)) {
        const repair = repairedStep(head, { line, text, isAlone: parts.every(([other]) => !other || other === text) });
        tell({ line, text, reader, noun: "option of the step", wordsOf: "the command", ...repair }, analysis);
      }
      checkAnnotations(head.annotation, { text, reader }, analysis);
    }
  }
}

function readerOfKind(kind: string): LineReader | undefined {
  if (kind === "runs") return "none";
  return kind === "uses"
    ? "arguments"
    : (["bash", "sh", "zsh", "pwsh", "cmd"] as const).find((shell) => shell === kind);
}

/** Whether the line is reported as an option, and so is not an argument. */
export function isStepOptionLine(text: string): boolean {
  return stepOptionWords.includes(/^([A-Za-z][A-Za-z-]*):(?=[ \t]|$)/.exec(text)?.[1] ?? "");
}

/**
 * Checks prompts and code, which may have any line; a `fallback:` with lines below it is very likely meant as an
 * option.
 */
function checkOtherText(
  { kind: { span } }: StepHead,
  { text, kind }: { readonly text: MappedText; readonly kind: string },
  analysis: Analysis,
): void {
  const found = /(?<=\n)fallback:[ \t]*(?=\n[ \t])/.exec(text.text);
  if (!found || /\b(?:break|continue)[ \t]+fallback\b/.test(text.text)) return;
  analysis.warn(
    "option-in-body",
    `\`fallback:\` is a line of the ${kind === "prompt" ? "prompt" : "code"} here, not an option of the step`,
    {
      at: spanWithin(text, found.index, found.index + "fallback:".length),
      related: [{ span, text: "options go after this, in brackets" }],
      help: ["write `[fallback]` there, if the lines below are the fallback"],
    },
  );
}

/** Warns of annotations that are indented deeper, and so are lines of the step, as in `@command`. */
function checkAnnotations(
  annotation: Annotation,
  { text, reader }: { readonly text: MappedText; readonly reader: LineReader },
  analysis: Analysis,
): void {
  if (reader === "pwsh" || reader === "cmd" || reader === "arguments") return;
  // The same rule applies with `@` in place of the colon.
  const marked = text.text.replaceAll(/^([ \t]*)@([A-Za-z][A-Za-z-]*)(?=[ \t]|$)/gm, "$1$2:");
  if (marked === text.text) return;
  for (const { key, start, keyEnd } of optionLines(marked, reader === "none" ? "sh" : reader, [
    ...annotationKinds.keys(),
  ])) {
    if (text.text[start] !== "@") continue;
    analysis.warn("misplaced-annotation", `\`@${key}\` is a line of \`@${annotation.keyword}\` here`, {
      at: spanWithin(text, start, keyEnd),
      label: `it is indented deeper than \`@${annotation.keyword}\``,
      related: [{ span: annotation.keywordSpan, text: "" }],
    });
  }
}

interface StepLine {
  readonly line: OptionLine;
  readonly text: MappedText;
  /** Whether the body has no `fallback:` that counts. */
  readonly isAlone: boolean;
}

type Repair = Pick<Told, "instead" | "related" | "fix">;

function repairedStep(head: StepHead, { line, text, isAlone }: StepLine): Repair {
  if (head.annotation.keyword !== "step")
    return { instead: "remove the line: `@cleanup` has no options", related: [], fix: undefined };
  const related = [{ span: head.kind.span, text: "options go after this, in brackets" }];
  const name = optionNameOf(line.key);
  if (name === "fallback" && !isAlone)
    return {
      instead: "a step has one `fallback:`, and all lines below it belong to it",
      related,
      fix: undefined,
    };
  if (new RegExp(`[[, ]${name}\\b`).test(head.annotation.text.text))
    return {
      instead: `remove the line, or change \`${name}\` in the brackets, which already have it`,
      related,
      fix: undefined,
    };
  const option = optionText(name, line.value);
  const instead =
    name === "fallback"
      ? "write `[fallback]` after the kind of the step, and the fallback indented below a line `fallback:`"
      : `write \`[${option ?? `${name}=…`}]\` after the kind of the step`;
  const edits =
    head.platform !== undefined || !line.isSure || option === undefined
      ? undefined
      : name === "fallback"
        ? fallbackEdits(line, text)
        : lineRemoved(line, text);
  const at = head.annotation.text.span;
  const title = edits?.length === 0 ? "write `[fallback]` after the kind of the step" : instead;
  const fix = edits && { title, edits: [{ span: { ...at, start: at.end }, text: ` [${option}]` }, ...edits] };
  return { instead, related, fix };
}

/** Returns the option as written in brackets, or undefined if that is not certain. */
function optionText(name: string, value: string): string | undefined {
  if (name === "fallback") return name;
  if (["parallel", "continue-on-error", "once"].includes(name)) return /^(?:true|yes)?$/.test(value) ? name : undefined;
  if (name === "when")
    return value !== "" &&
      !value.includes("]") &&
      parseCondition(mappedText({ path: "", text: value }, [{ start: 0, end: value.length }])).value
      ? `when=${value}`
      : undefined;
  if (name === "wait-for")
    return /^[\w-]+(?:,[ \t]*[\w-]+)*$/.test(value) ? `wait-for=${value.replaceAll(/[ \t]/g, "")}` : undefined;
  return (valueForms[name] ?? /^[\w.-]+$/).test(value) ? `${name}=${value}` : undefined;
}

/** Returns edits only if it is clear which lines belong to the fallback. */
function fallbackEdits(line: OptionLine, { text, offsetAt, span }: MappedText): Fix["edits"] | undefined {
  const below = text.slice(line.end);
  const isFirst = text.slice(0, line.start).trim() === "";
  if (isFirst || (line.start > 0 && text[line.start - 1] !== "\n")) return undefined;
  const isKind = /^(?:uses[ \t]+\S+|runs|bash|sh|zsh|pwsh|cmd|prompt|code|python)$/.test(line.value);
  if (line.value === "" || (isKind && below.trim() !== ""))
    return below.trim() !== "" && below.split("\n").every((one) => one.trim() === "" || /^[ \t]/.test(one))
      ? []
      : undefined;
  if (isKind || below.trim() !== "") return undefined;
  return [
    {
      span: { source: span.source, start: offsetAt(line.keyEnd), end: offsetAt(text.indexOf(line.value, line.keyEnd)) },
      text: deeperLine(span.source.text, offsetAt(line.start)),
    },
  ];
}

/** Returns a line break, the indent of the line at `at`, and one more level. */
export function deeperLine(text: string, at: number): string {
  const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1, at))?.[0] ?? "";
  return `${text.includes("\r\n") ? "\r\n" : "\n"}${indent}${indent.includes("\t") ? "\t" : "    "}`;
}

function lineRemoved(line: OptionLine, { text, offsetAt, span: { source } }: MappedText): Fix["edits"] | undefined {
  if (text.slice(0, line.start).trim() === "" && text.slice(line.end).trim() === "") return undefined;
  const at = offsetAt(line.start);
  const newline = source.text.indexOf("\n", at);
  // The last line is removed together with the line break before it.
  const start = source.text.lastIndexOf("\n", at - 1) + (newline === -1 ? 0 : 1);
  return [{ span: { source, start, end: newline === -1 ? source.text.length : newline + 1 }, text: "" }];
}

/** Annotations whose continuation lines are words, not prose. */
const wordKeywords = ["command", "fallback", "tags", "keywords", "title", "env", "cwd", "stdin", "with"];
const annotationWords = [...annotationKinds.keys()];

/** Checks the lines of `@command` and `@script`. */
export function checkCommandLines(annotation: Annotation, shell: Shell | "none", analysis: Analysis): void {
  const text = annotation.body;
  if (text)
    for (const line of optionLines(text.text, shell, annotationWords))
      tellAnnotation(annotation, { line, text, reader: shell }, analysis);
}

/** Checks continuation lines, which are joined to the annotation with a space. */
export function checkContinuations(annotation: Annotation, analysis: Analysis): void {
  const { span } = annotation.text;
  if (!wordKeywords.includes(annotation.keyword)) return;
  const text = mappedText(span.source, [{ start: span.start, end: span.end }]);
  for (const line of optionLines(text.text, "none", annotationWords))
    if (text.text.slice(0, line.start).includes("\n"))
      tellAnnotation(annotation, { line, text, reader: "none" }, analysis);
}

function tellAnnotation(
  annotation: Annotation,
  { line, text, reader }: Pick<Told, "line" | "text" | "reader">,
  analysis: Analysis,
): void {
  const kind = annotationKinds.get(line.key);
  const value = line.key === "ignore-errors" ? "" : line.value;
  const isWhole = value !== "" || kind?.form === "";
  const instead = `@${line.key}${isWhole ? (value === "" ? "" : ` ${value}`) : ` ${kind?.form ?? ""}`}`;
  const related = [{ span: annotation.keywordSpan, text: "it is read as part of this" }];
  const isFree = kind?.repeats === true || !analysis.has(line.key);
  const hasCommand = text.text.slice(0, line.start).trim() !== "";
  const fix =
    line.isSure && isWhole && isFree && hasCommand && isLast(annotation, { line, text })
      ? replacing(lineSpan(line, text), indentOf(annotation.keywordSpan) + instead, `write \`${instead}\``)
      : undefined;
  const wordsOf =
    annotation.keyword === "command" || annotation.keyword === "fallback"
      ? "the command"
      : `\`@${annotation.keyword}\``;
  tell(
    {
      line,
      text,
      reader,
      noun: "annotation",
      wordsOf,
      instead: `write \`${instead}\` on a separate line, indented like \`@${annotation.keyword}\``,
      related,
      fix,
    },
    analysis,
  );
}

/** Whether no lines follow, which would belong to the new annotation. */
function isLast({ body }: Annotation, { line, text }: Pick<Told, "line" | "text">): boolean {
  return text.text.slice(line.end).trim() === "" && (!body || text === body);
}

function lineSpan(line: OptionLine, text: MappedText): Span {
  const { source } = text.span;
  const at = text.offsetAt(line.start);
  return { source, start: source.text.lastIndexOf("\n", at - 1) + 1, end: sliced(text, line.start, line.end).span.end };
}

function indentOf({ source, start }: Span): string {
  return source.text.slice(source.text.lastIndexOf("\n", start - 1) + 1, start).replaceAll("\ufeff", "");
}
