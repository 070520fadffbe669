// Output of a step that is too long or not text, and output that is only shown.
import type { Outcome } from "../tool/call.ts";
import type { Failure } from "../tool/failure.ts";
import { outputNames } from "../tool/step.ts";
import type { PlannedStep, StepsPlan } from "./plan.ts";

/** Whether no step reads the output of `planned`, so that it is the result of the tool and is passed on as it comes. */
export function isOnlyShown(planned: PlannedStep, { steps, cleanup, output }: StepsPlan): boolean {
  const { step } = planned;
  const isLast = planned === steps.at(-1) && !output && !steps.some(({ after }) => after.includes(step.name.value));
  if (!isLast || step.output.mode !== "stream" || step.forEach || step.cacheMs !== undefined) return false;
  const names = outputNames(step).map(({ value }) => value);
  return !cleanup.some(
    (one) => one.step.action.kind === "code" || one.references.some(({ root }) => names.includes(root)),
  );
}

/** Replaces the help by the step's own option to allow more. */
export function withinBuffer(outcome: Outcome, planned: PlannedStep): Outcome {
  const { step } = planned;
  if (outcome.status === "ok" || outcome.failure.kind !== "limit" || outcome.failure.unit !== "bytes of output")
    return outcome;
  // A step that allows more has reached a limit that is not its own.
  const help =
    step.output.mode === "buffer" && outcome.failure.limit >= step.output.bytesMax
      ? bufferHelp(planned)
      : outcome.failure.help;
  return { ...outcome, failure: { ...outcome.failure, help } };
}

export function tooMuch(planned: PlannedStep): Failure {
  return { kind: "limit", limit: planned.step.output.bytesMax, unit: "bytes of output", help: bufferHelp(planned) };
}

function bufferHelp({ step }: PlannedStep): readonly string[] {
  return [
    `raise \`[buffer-limit=…]\` of the step \`${step.name.value}\`, or pass its whole output on with \`[output=stream]\``,
  ];
}

/** `what` is a noun: "the output of `a`, 12 bytes of application/octet-stream". */
export function noTextFailure(what: string): Failure {
  return {
    kind: "rejected",
    reason: `${what}, is not text`,
    help: ["write it to a file in that step, for example in `{TEMP_DIR}`, and pass on the path"],
  };
}
