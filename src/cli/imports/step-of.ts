// A step of an imported tool, as a definition has it.
import { parseCondition } from "../../language/syntax/condition.ts";
import { CannotWrite } from "../../language/write/cannot-write.ts";
import type { Spanned } from "../../text/source.ts";
import { type Step, STEP_OUTPUT_BYTES_MAX, type StepAction } from "../../tool/step.ts";
import { commandOf, placed, templateOf } from "./parts-written.ts";
import type { ImportedStep } from "./imported-tool.ts";

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
