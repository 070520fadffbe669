// Lines of a command, a script or a step that look like an option in YAML, `timeout: 3s`, or like an annotation that is
// indented too deep. The language has no such lines, so they would run, or be words of the command.
import { scanScript } from "../../shell/scan.ts";
import type { Shell } from "../../tool/command.ts";
import type { Analysis } from "../analysis.ts";
import type { StepHead, StepKind } from "../kinds/step-heads.ts";
import { stepOptionWords } from "../kinds/step-options.ts";
import { annotationKinds } from "../syntax/annotations.ts";
import { type Annotation, type MappedText, spanWithin } from "../syntax/ast.ts";
import { mappedText } from "../syntax/mapped-text.ts";

/** What reads the lines: a shell, nothing (they are words of one command), or dottool (`PARAM = template`). */
type LineReader = Shell | "none" | "arguments";

interface Lines {
  readonly owner: Annotation;
  readonly text: MappedText;
  readonly reader: LineReader;
  /** What the line is a part of if no shell reads it. */
  readonly wordsOf?: string;
  /** Where the lines begin that are looked at. */
  readonly from?: number;
}

/** The limit of looks, each of which reads all the text before it. */
const LOOKS_MAX = 50;
const LINE = /^([ \t]*)(?:([A-Za-z][A-Za-z-]*):(?=[ \t\r]|$)|@([A-Za-z][A-Za-z-]*)(?=[ \t(]|$))([^\n]*)/gm;
/** Values of options that have no other likely use as words of a command. */
const VALUE =
  /^(?:\d+(?:ms|[smhd])?(?: [a-z]+=\S+)*|true|yes|no|[A-Za-z_]+=\S.*|\{[^{}]+\}.*|(?:ba|z)?sh|pwsh|exponential)$/;

/** Lines that a program may need are left out: in a here-document, in quotes, or a word with another value. */
function checkBody({ owner, text, reader, wordsOf = "the command", from = 0 }: Lines, analysis: Analysis): void {
  const isStep = owner.keyword === "step" || owner.keyword === "cleanup";
  const words = isStep ? stepOptionWords : [...annotationKinds.keys()];
  let looks = 0;
  for (const { 0: whole, 1: indent = "", 2: option, 3: keyword = "", 4: rest = "", index } of text.text.matchAll(
    LINE,
  )) {
    const isKnown = option === undefined ? annotationKinds.has(keyword) : words.includes(option);
    if (!isKnown || index < from || reader === "pwsh" || reader === "cmd") continue;
    if (++looks > LOOKS_MAX) break;
    const before = text.text.slice(0, index);
    const isRead =
      reader === "arguments"
        ? option !== undefined && indent === ""
        : reader === "none"
          ? !isOpen(before) && (option === undefined || option === "fallback" || VALUE.test(rest.trim()))
          : beginsCommand(before, reader) && (option === undefined || !isFunction(text.text, option));
    if (!isRead) continue;
    const at = spanWithin(text, index + indent.length, index + whole.length - rest.length);
    const isSure = option === undefined ? isStep && reader === "none" : reader !== "none" || option === "fallback";
    const say = isSure ? analysis.error.bind(analysis) : analysis.warn.bind(analysis);
    const related = [{ span: owner.keywordSpan, text: "it is read as part of this" }];
    if (option === undefined) {
      const label = `it is indented deeper than \`@${owner.keyword}\``;
      say("misplaced-annotation", `\`@${keyword}\` is a line of \`@${owner.keyword}\` here`, { at, label, related });
      continue;
    }
    const place =
      reader === "none"
        ? `part of ${wordsOf}`
        : reader === "arguments"
          ? "one of the arguments"
          : "a line of the script";
    const noun = isStep ? "option of the step" : "annotation";
    const isWord = reader === "none" && wordsOf === "the command";
    say("option-in-body", `\`${option}:\` is ${place} here, not an ${noun}`, {
      at,
      label: reader === "none" || reader === "arguments" ? "" : `${reader} would look for a program with this name`,
      related,
      help: [insteadOf(owner, option), ...(isWord ? [`for the literal word, use quotes: \`'${option}:'\``] : [])],
    });
  }
}

function insteadOf({ keyword }: Annotation, option: string): string {
  if (keyword === "cleanup") return "remove the line: `@cleanup` has no options";
  if (keyword !== "step")
    return `an annotation has a line of its own, begins with \`@\`, and is indented like \`@${keyword}\`: \`@${option} ${annotationKinds.get(option)?.form ?? ""}`
      .trimEnd()
      .concat("`");
  return option === "fallback"
    ? "write `[fallback]` after the kind of the step, and the fallback indented below a line `fallback:`"
    : "options are in brackets after the kind of the step, as in `[timeout=3s retry=2]`";
}

function beginsCommand(before: string, shell: "sh" | "bash" | "zsh"): boolean {
  const { trouble } = scanScript(before, { knowsTests: shell !== "sh", knowsSubscripts: shell === "zsh" });
  return !/\\\r?\n$/.test(before) && trouble === undefined;
}

function isFunction(text: string, key: string): boolean {
  return new RegExp(`^[ \\t]*(?:function[ \\t]+${key}:|${key}:[ \\t]*\\()`, "m").test(text);
}

/** Whether a quote is open at the end of words that no shell reads. */
function isOpen(before: string): boolean {
  return /\\\r?\n$/.test(before) || /["']/.test(before.replaceAll(/\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"/g, ""));
}

/** `parts` are the body and, with `[fallback]`, the lines below `fallback:`. */
export function checkStepLines(
  { annotation: owner }: StepHead,
  parts: readonly (readonly [text: MappedText | undefined, of: StepKind])[],
  analysis: Analysis,
): void {
  for (const [text, { tool, kind }] of parts) {
    const reader = tool ? "arguments" : kind.text === "runs" ? "none" : shells.find((shell) => shell === kind.text);
    // A prompt and code may have any line.
    if (text && reader) checkBody({ owner, text, reader }, analysis);
  }
}

const shells: readonly Shell[] = ["bash", "sh", "zsh", "pwsh", "cmd"];

/** Whether the line is reported as an option, and so is not an argument. */
export function isStepOptionLine(text: string): boolean {
  return stepOptionWords.includes(/^([A-Za-z][A-Za-z-]*):(?=[ \t]|$)/.exec(text)?.[1] ?? "");
}

/** Annotations whose continuation lines are words, not prose. */
const wordKeywords = ["command", "fallback", "tags", "keywords", "title", "env", "cwd", "stdin", "with"];

/** Checks the lines of `@command` and `@script`. */
export function checkCommandLines(owner: Annotation, reader: Shell | "none", analysis: Analysis): void {
  if (owner.body) checkBody({ owner, text: owner.body, reader }, analysis);
}

/** Checks continuation lines, which are joined to the annotation with a space. */
export function checkContinuations(owner: Annotation, analysis: Analysis): void {
  const { source, start, end } = owner.text.span;
  if (!wordKeywords.includes(owner.keyword)) return;
  const text = mappedText(source, [{ start, end }]);
  const isCommand = owner.keyword === "command" || owner.keyword === "fallback";
  const wordsOf = isCommand ? "the command" : `\`@${owner.keyword}\``;
  checkBody({ owner, text, reader: "none", wordsOf, from: 1 }, analysis);
}
