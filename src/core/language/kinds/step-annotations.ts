// Steps as other programs write them: `@step cargo build --release`, which is the command itself. Reported alone, because
// all else that is wrong follows from it.
import type { Diagnostic } from "../../text/diagnostic.ts";
import type { Analysis } from "../analysis.ts";
import { diagnosticOf } from "../findings.ts";
import type { Annotation } from "../syntax/ast.ts";
import { stepKinds } from "./steps.ts";

const SHELLS = /^(?:bash|sh|zsh|pwsh|cmd)$/;

/** Matches two words at least; options are in brackets. */
const COMMAND_LINE = /^[\w./-]+[ \t]+(?!\[)(\S+)/;
const LINE_WORDS_MIN = 3;

/** Returns nothing unless each `@step` is a command without a name, a kind and lines. */
export function commandsAsSteps(analysis: Analysis): readonly Diagnostic[] {
  const steps = analysis.all("step");
  const isLine = ({ body, qualifier, text }: Annotation): boolean => {
    const [, second = ""] = COMMAND_LINE.exec(text.text) ?? [];
    return !body && !qualifier && !text.text.includes("\n") && second !== "" && !stepKinds.includes(second);
  };
  const [first] = steps;
  const isLong = steps.some(({ text }) => text.text.split(/\s+/).length >= LINE_WORDS_MIN && !/\s\[/.test(text.text));
  if (!first || !isLong || analysis.has("command") || analysis.has("script") || !steps.every(isLine)) return [];
  const wrapped = analysis.first("wrapped");
  const shell = wrapped?.text.text ?? "";
  const kind = SHELLS.test(shell) ? shell : "runs";
  const source = first.span.source;
  const edits = steps.map(({ text: { span, text } }, index) => ({
    span,
    text: `step_${index + 1} ${kind}\n    ${text}`,
  }));
  const end = wrapped && source.text.indexOf("\n", wrapped.span.end) + 1;
  const leftOut = wrapped && end ? [{ span: { source, start: wrapped.span.start, end }, text: "" }] : [];
  const fix = { title: `write \`@step step_1 ${kind}\`, and the command below it`, edits: [...leftOut, ...edits] };
  const related = steps.slice(1).map(({ keywordSpan }) => ({ span: keywordSpan, text: "" }));
  const message = "a `@step` has a name and a kind, and its command is in the lines below it";
  return [diagnosticOf("malformed-annotation", message, { at: first.text.span, related, fix })];
}
