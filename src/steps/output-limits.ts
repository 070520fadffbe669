// What is wrong with the output of a step: too much of it, or no text.
import type { Outcome } from "../tool/call.ts";
import type { Failure } from "../tool/failure.ts";
import type { PlannedStep } from "./plan.ts";

/** The way to allow more is the step's own. */
export function withinBuffer(outcome: Outcome, planned: PlannedStep): Outcome {
  const { step } = planned;
  if (outcome.status === "ok" || outcome.failure.kind !== "limit" || outcome.failure.unit !== "bytes of output")
    return outcome;
  // A step that may keep more has come to a limit that is not its own.
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
    `the step \`${step.name.value}\` keeps more with \`[buffer-limit=…]\`, and passes all of it on with \`[output=stream]\``,
  ];
}

/** `what`: "the output of `a`, 12 bytes of application/octet-stream". */
export function noText(what: string): Failure {
  return {
    kind: "rejected",
    reason: `${what}, is no text`,
    help: ["let that step write it to a file, for example in `{TEMP_DIR}`, and give the path on"],
  };
}
