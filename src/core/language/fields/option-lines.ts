// Lines of a command or a step that look like an option in YAML, `timeout: 3s`, or like an annotation that is indented too
// deep. They would be words of the command or arguments; what stands below `fallback:` in a script would always run.
import type { Analysis } from "../analysis.ts";
import type { StepHead, StepKind } from "../kinds/step-heads.ts";
import { stepOptionWords } from "../kinds/step-options.ts";
import { annotationKinds } from "../syntax/annotations.ts";
import { type Annotation, type MappedText, spanWithin } from "../syntax/ast.ts";
import { mappedText } from "../syntax/mapped-text.ts";

/** What reads the lines: nothing (they are words of one command), a shell, or dottool (`PARAM = template`). */
type LineReader = "none" | "shell" | "arguments";

const LINE = /^([ \t]*)(?:([A-Za-z][A-Za-z-]*):(?=[ \t\r]|$)|@([A-Za-z][A-Za-z-]*)(?=[ \t(]|$))([^\n]*)/gm;
/** Values of options that have no other likely use as words of a command. */
const VALUE =
  /^(?:\d+(?:ms|[smhd])?(?: [a-z]+=\S+)*|true|yes|no|[A-Za-z_]+=\S.*|\{[^{}]+\}.*|(?:ba|z)?sh|pwsh|exponential)$/;

interface Lines {
  readonly owner: Annotation;
  readonly text: MappedText;
  readonly reader: LineReader;
}

function checkBody({ owner, text, reader }: Lines, analysis: Analysis): void {
  const isStep = owner.keyword === "step" || owner.keyword === "cleanup";
  const words = isStep ? stepOptionWords : [...annotationKinds.keys()];
  for (const found of text.text.matchAll(LINE)) {
    const [whole, indent = "", option, keyword = "", rest = ""] = found;
    const isKnown = option === undefined ? annotationKinds.has(keyword) : words.includes(option);
    const isRead =
      reader === "arguments"
        ? option !== undefined && indent === ""
        : reader === "shell"
          ? option === "fallback" && isStep
          : !isOpen(text.text.slice(0, found.index)) &&
            (option === undefined || option === "fallback" || VALUE.test(rest.trim()));
    if (!isKnown || !isRead) continue;
    const at = spanWithin(text, found.index + indent.length, found.index + whole.length - rest.length);
    const related = [{ span: owner.keywordSpan, text: "it is read as part of this" }];
    if (option === undefined) {
      const label = `it is indented deeper than \`@${owner.keyword}\``;
      analysis.error("misplaced-annotation", `\`@${keyword}\` is a line of \`@${owner.keyword}\` here`, {
        at,
        label,
        related,
      });
      continue;
    }
    const place =
      reader === "none" ? "part of the command" : reader === "shell" ? "a line of the script" : "one of the arguments";
    analysis.error(
      "option-in-body",
      `\`${option}:\` is ${place} here, not an ${isStep ? "option of the step" : "annotation"}`,
      {
        at,
        related,
        help: [
          isStep
            ? "options of a step are in brackets after its kind, `[timeout=3s retry=2]`, also `[fallback]`"
            : `an annotation has a line of its own that begins with \`@\`: \`@${option}\``,
          ...(reader === "none" ? [`for the literal word, use quotes: \`'${option}:'\``] : []),
        ],
      },
    );
  }
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
    // A prompt and code may have any line.
    if (!text || /^(?:prompt|code|python)$/.test(kind.text)) continue;
    checkBody({ owner, text, reader: tool ? "arguments" : kind.text === "runs" ? "none" : "shell" }, analysis);
  }
}

/** Whether the line is reported as an option, and so is not an argument. */
export function isStepOptionLine(text: string): boolean {
  return stepOptionWords.includes(/^([A-Za-z][A-Za-z-]*):(?=[ \t]|$)/.exec(text)?.[1] ?? "");
}

/** Checks the lines of `@command` and `@fallback` that no shell reads. */
export function checkCommandLines(owner: Annotation, analysis: Analysis): void {
  const { source, start, end } = owner.text.span;
  const below = source.text.indexOf("\n", start) + 1;
  if (below > 0 && below < end)
    checkBody({ owner, text: mappedText(source, [{ start: below, end }]), reader: "none" }, analysis);
  if (owner.body) checkBody({ owner, text: owner.body, reader: "none" }, analysis);
}
