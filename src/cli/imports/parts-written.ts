// Parts of an imported tool as the templates of a definition.
import type { Spanned } from "../../text/source.ts";
import type { CommandTemplate, ShellPlaceholder } from "../../tool/command.ts";
import type { Template } from "../../tool/template.ts";
import type { ImportedStep, ImportedTool, Part } from "./imported-tool.ts";
import { parseCondition } from "../../language/syntax/condition.ts";
import { CannotWrite } from "../../language/write/cannot-write.ts";
import { type Step, STEP_OUTPUT_BYTES_MAX, type StepAction } from "../../tool/step.ts";

type ScriptOrCommand = Extract<ImportedTool["runs"], { kind: "script" | "command" }>;

export function commandOf(runs: ScriptOrCommand): CommandTemplate {
  if (runs.kind === "script") return { kind: "shell", shell: runs.shell, parts: runs.parts.map(shellPart) };
  return {
    kind: "direct",
    words: runs.words.map((word) => templateOf([word].flat())),
  };
}

/** Only the name is written; the rest is what reading the file finds. */
function shellPart(part: Part): string | ShellPlaceholder {
  return typeof part === "string"
    ? part
    : { placeholder: part.parameter, quoting: "bare", isWholeWord: true, startsWord: true, isAfterDashes: false };
}

export function templateOf(parts: readonly Part[]): Template {
  return { parts: parts.map((part) => (typeof part === "string" ? part : { placeholder: part.parameter })) };
}

/** The text of a file that is not written yet has no places. */
export function placed<Value>(value: Value): Spanned<Value> {
  return { value, span: { source: { path: "imported.tool", text: "" }, start: 0, end: 0 } };
}

/** Throws `CannotWrite` for a condition that the language does not read. */
export function stepOf({ name, does, when }: ImportedStep): Step {
  return {
    name: placed(name),
    action: actionOf(does),
    ...(when === undefined ? {} : { when: conditionOf(placed(when)) }),
    isParallel: false,
    continuesOnError: false,
    output: { mode: "buffer", bytesMax: STEP_OUTPUT_BYTES_MAX },
  };
}

function conditionOf({ value, span }: Spanned<string>): NonNullable<Step["when"]> {
  const { value: condition } = parseCondition({ text: value, span, offsetAt: () => 0 });
  if (!condition) throw new CannotWrite(`the condition \`${value}\``);
  return { condition, span };
}

function actionOf(does: ImportedStep["does"]): StepAction {
  switch (does.kind) {
    case "script":
      return { kind: "command", commands: [{ command: commandOf(does) }] };
    case "prompt":
      return { kind: "prompt", prompt: templateOf(does.parts) };
    case "reads":
      return {
        kind: "tool",
        tool: placed("read_file"),
        arguments: [{ parameter: placed("file_path"), text: placed(does.path) }],
      };
  }
}
