// `option-in-body`: lines of a command that look like an option or an annotation.
import type { Label } from "../../text/diagnostic.ts";
import type { Shell } from "../../tool/command.ts";
import type { Analysis } from "../analysis.ts";
import type { StepHead, StepKind } from "../kinds/step-heads.ts";
import { isFlag, optionNameOf, stepOptionWords } from "../kinds/step-options.ts";
import { annotationKinds } from "../syntax/annotations.ts";
import { type Annotation, type MappedText, spanWithin } from "../syntax/ast.ts";
import { mappedText } from "../syntax/mapped-text.ts";
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
}

function tell({ line, text, reader, noun, wordsOf, instead, related }: Told, analysis: Analysis): void {
  const isWord = reader === "none";
  const isArgument = reader === "arguments";
  const place = isWord ? `part of ${wordsOf}` : isArgument ? "one of the arguments" : "a line of the script";
  const quoted = isWord && wordsOf === "the command" ? [`for the literal word, use quotes: \`'${line.key}:'\``] : [];
  const say = line.isSure ? analysis.error.bind(analysis) : analysis.warn.bind(analysis);
  say("option-in-body", `\`${line.key}:\` is ${place} here, not an ${noun}`, {
    at: spanWithin(text, line.start, line.keyEnd),
    label: isWord || isArgument ? "" : `${reader} would look for a program with this name`,
    related,
    help: [instead, ...quoted],
  });
}

/** `parts` are the body and, with `[fallback]`, the lines below `fallback:`. */
export function checkStepLines(
  head: StepHead,
  parts: readonly (readonly [text: MappedText | undefined, of: StepKind])[],
  analysis: Analysis,
): void {
  for (const [text, of] of parts) {
    if (!text) continue;
    const reader = readerOfKind(of.tool ? "uses" : of.kind.text);
    // A prompt and code may have any line.
    if (reader === undefined) continue;
    for (const line of optionLines(text.text, reader, stepOptionWords)) {
      const repair = insteadOf(head, line);
      tell({ line, text, reader, noun: "option of the step", wordsOf: "the command", ...repair }, analysis);
    }
    checkAnnotations(head.annotation, { text, reader }, analysis);
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
 * Reports annotations that are indented deeper, and so are lines of the step, as in `@command`: without a shell they are
 * words of the command, which runs.
 */
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
    const say = reader === "none" ? analysis.error.bind(analysis) : analysis.warn.bind(analysis);
    say("misplaced-annotation", `\`@${key}\` is a line of \`@${annotation.keyword}\` here`, {
      at: spanWithin(text, start, keyEnd),
      label: `it is indented deeper than \`@${annotation.keyword}\``,
      related: [{ span: annotation.keywordSpan, text: "" }],
    });
  }
}

function insteadOf({ annotation, kind }: StepHead, { key, value }: OptionLine): Pick<Told, "instead" | "related"> {
  if (annotation.keyword !== "step") return { instead: "remove the line: `@cleanup` has no options", related: [] };
  const related = [{ span: kind.span, text: "options go after this, in brackets" }];
  const name = optionNameOf(key);
  if (name === "fallback")
    return {
      instead: "write `[fallback]` after the kind of the step, and the fallback indented below a line `fallback:`",
      related,
    };
  const option = isFlag(name) ? name : `${name}=${(valueForms[name] ?? /^[\w.-]+$/).test(value) ? value : "…"}`;
  return { instead: `write \`[${option}]\` after the kind of the step`, related };
}

/** Returns a line break, the indent of the line at `at`, and one more level. */
export function deeperLine(text: string, at: number): string {
  const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1, at))?.[0] ?? "";
  return `${text.includes("\r\n") ? "\r\n" : "\n"}${indent}${indent.includes("\t") ? "\t" : "    "}`;
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
  const isCommand = annotation.keyword === "command" || annotation.keyword === "fallback";
  tell(
    {
      line,
      text,
      reader,
      noun: "annotation",
      wordsOf: isCommand ? "the command" : `\`@${annotation.keyword}\``,
      instead: `write \`${instead}\` on a separate line, indented like \`@${annotation.keyword}\``,
      related: [{ span: annotation.keywordSpan, text: "it is read as part of this" }],
    },
    analysis,
  );
}
