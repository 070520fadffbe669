// Steps as other programs write them: `@step build` with a `@command` below it, and `@step cargo build --release`, which
// is the command itself. Reported alone, because all else that is wrong follows from it.
import type { Diagnostic, Fix } from "../../text/diagnostic.ts";
import type { Analysis } from "../analysis.ts";
import type { Annotation } from "../syntax/ast.ts";
import { stepKinds } from "./steps.ts";

/** Matches a name without a kind, with options or none. */
const WITHOUT_KIND = /^([A-Za-z_][\w-]*)[ \t]*(?:\[.*)?$/;
const SHELLS = /^(?:bash|sh|zsh|pwsh|cmd)$/;

/** Returns nothing if each step has its lines. */
export function commandsBelowSteps(analysis: Analysis): readonly Diagnostic[] {
  const { annotations } = analysis;
  return annotations.flatMap((step, index): readonly Diagnostic[] => {
    const [, name] = (step.keyword === "step" && !step.body && WITHOUT_KIND.exec(step.text.text)) || [];
    if (name === undefined) return [];
    const next = annotations[index + 1];
    const shell = next?.keyword === "shell" ? next : undefined;
    const command = shell ? annotations[index + 2] : next;
    if (command?.keyword !== "command" && (command?.keyword !== "script" || !shell)) return [];
    const kind = shell?.text.text.trim() ?? "runs";
    if (kind !== "runs" && !SHELLS.test(kind)) return [];
    const fix = fixOf(step, { name, kind, command });
    return [
      {
        code: "misplaced-annotation",
        severity: "error",
        message: `what the step \`${name}\` runs is written in the lines below its \`@step\``,
        at: { span: command.keywordSpan, text: "" },
        related: [{ span: step.keywordSpan, text: "" }],
        help: fix ? [] : [`write \`@step ${name} ${kind}\`, and the command below it, indented`],
        ...(fix ? { fix } : {}),
      },
    ];
  });
}

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
  return [
    {
      code: "malformed-annotation",
      severity: "error",
      message: "a `@step` has a name and a kind, and its command is in the lines below it",
      at: { span: first.text.span, text: "" },
      related: steps.slice(1).map(({ keywordSpan }) => ({ span: keywordSpan, text: "" })),
      help: [],
      fix: { title: `write \`@step step_1 ${kind}\`, and the command below it`, edits: [...leftOut, ...edits] },
    },
  ];
}

interface Meant {
  readonly name: string;
  readonly kind: string;
  readonly command: Annotation;
}

/** Returns undefined where the lines of the command would have to be indented as well. */
function fixOf(step: Annotation, { name, kind, command }: Meant): Fix | undefined {
  const { source } = step.span;
  const isInline = command.text.text !== "";
  const first = (isInline ? command.text : command.body)?.span;
  const written = first && source.text.slice(first.start, command.span.end);
  if (first === undefined || command.qualifier || written === undefined || /\n(?=\S)/.test(written)) return undefined;
  const lineStart = source.text.lastIndexOf("\n", first.start) + 1;
  const afterName = step.text.span.start + name.length;
  return {
    title: `write it below \`@step ${name} ${kind}\``,
    edits: [
      { span: { source, start: afterName, end: afterName }, text: ` ${kind}` },
      {
        span: { source, start: step.span.end, end: isInline ? first.start : lineStart },
        text: isInline ? "\n    " : "\n",
      },
    ],
  };
}
