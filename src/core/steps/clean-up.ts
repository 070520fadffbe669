// The cleanup steps of a tool: they run whatever happened.
import type { Outcome } from "../tool/call.ts";
import { codeOf, refusedPath } from "../tool/error-code.ts";
import type { Failure } from "../tool/failure.ts";
import type { ToolContext } from "../tool/tool.ts";
import type { PlannedStep, StepsPlan } from "./plan.ts";
import type { RunValues } from "./run-values.ts";
import { print, tell } from "./step-events.ts";

/** The time limit of each cleanup step. */
const CLEANUP_MS_MAX = 30_000;
/**
 * The time that each cleanup adds to the gate's wait for a tool to end: its own, and that of a process that has to be
 * killed.
 */
export const CANCELLED_CLEANUP_MS_MAX = 8_000;
const PROCESS_ENDING_MS = 3_000;

/** Runs the cleanup steps one after the other, even if some fail. A failure is reported and changes nothing. */
export async function cleanUp(plan: StepsPlan, values: RunValues, context: ToolContext): Promise<void> {
  for (const planned of plan.cleanup) {
    const name = planned.step.name.value;
    const span = context.span?.begin({ kind: "cleanup", name, tool: planned.tool });
    tell(context, { step: name, state: "running", isCleanup: true });
    const outcome = await cleanedUp(planned, values, span ? { ...context, span } : context);
    span?.end(outcome);
    tell(context, { step: name, state: outcome.status === "ok" ? "done" : "failed", isCleanup: true });
    if (outcome.status === "failed")
      await print(
        context,
        "stderr",
        `warning: \`${name}\` (\`${planned.tool}\`) failed, and something may be left behind: ${causeText(outcome.failure)}\n`,
      );
  }
}

/**
 * Warns, and returns why the folder of the run could not be removed. A failure of the steps themselves is more
 * important.
 */
export async function leftBehind(folder: string, context: ToolContext): Promise<Failure | undefined> {
  try {
    await context.host.files.remove(folder);
    return undefined;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    await print(context, "stderr", `warning: \`${folder}\` is left behind: it cannot be removed (${code})\n`);
    return {
      kind: "file",
      path: refusedPath(error) ?? folder,
      action: "remove",
      code,
      help: [
        "the steps are done, and their output is complete: do not run them again",
        `remove \`${folder}\` when it can be removed`,
      ],
    };
  }
}

/** Cleans up, also after a cancel, so it has a signal of its own. */
async function cleanedUp(planned: PlannedStep, values: RunValues, context: ToolContext): Promise<Outcome> {
  const ending = new AbortController();
  const done = new AbortController();
  const late = context.host
    .sleep(context.signal.aborted ? CANCELLED_CLEANUP_MS_MAX - PROCESS_ENDING_MS : CLEANUP_MS_MAX, done.signal)
    .then(() => ending.abort());
  try {
    return await planned.execute(values.stepValues(planned.references), {
      ...context,
      signal: ending.signal,
      limits: { ...context.limits, timeoutMs: CLEANUP_MS_MAX },
      emit: () => undefined,
    });
  } catch (error) {
    // A bug in one must not keep the others from cleaning up.
    return {
      status: "failed",
      content: [],
      failure: {
        kind: "crashed",
        tool: planned.tool,
        error: error instanceof Error ? error : new Error(String(error)),
      },
    };
  } finally {
    done.abort();
    await late;
  }
}

/** Words the few failures of the engine; ../run/failure-text.ts has the others. */
function causeText(failure: Failure): string {
  if (failure.kind === "step-failed") return causeText(failure.cause);
  return failure.kind === "exit"
    ? failure.exitCode === undefined
      ? `killed by ${failure.signalName ?? "a signal"}`
      : `exit code ${failure.exitCode}`
    : failure.kind === "cancelled"
      ? "it timed out"
      : failure.kind;
}
