// What happens when a tool fails: it is tried again, then its fallback runs, then the failure may be let pass.
import type { Outcome } from "../tool/call.ts";
import type { Failure } from "../tool/failure.ts";
import type { ToolContext, ToolEvent } from "../tool/tool.ts";

export interface Recovery {
  /** In all: 1 tries once. */
  readonly attempts: number;
  readonly delayMs: number;
  readonly fallback?: (context: ToolContext) => Promise<Outcome>;
  readonly ignoresErrors: boolean;
}

export async function withRecovery(attempt: (context: ToolContext) => Promise<Outcome>, recovery: Recovery, context: ToolContext): Promise<Outcome> {
  const { attempts, delayMs, fallback, ignoresErrors } = recovery;
  let outcome: Outcome | undefined;
  for (let number = 1; number <= attempts; number++) {
    const isLast = number === attempts && !fallback;
    // What a failed attempt printed must not run into the output of the next.
    const held: ToolEvent[] = [];
    outcome = await attempt(isLast ? context : { ...context, emit: (event) => void held.push(event) });
    if (outcome.status === "ok" || isLast || !isWorthAnotherTry(outcome.failure) || context.signal.aborted) {
      for (const event of held) context.emit(event);
      break;
    }
    context.emit({ kind: "progress", text: `attempt ${number} of ${attempts} failed` });
    if (number < attempts) await context.host.sleep(delayMs, context.signal);
    else if (fallback) outcome = await fallback(context);
  }
  if (!outcome) throw new Error("a tool is attempted at least once");
  return ignoresErrors ? letPass(outcome) : outcome;
}

/** The command or the network may do better next time; a refusal or a missing program will not. */
function isWorthAnotherTry(failure: Failure): boolean {
  return failure.kind === "exit" || failure.kind === "network" || failure.kind === "busy";
}

function letPass(outcome: Outcome): Outcome {
  if (outcome.status === "ok" || outcome.failure.kind !== "exit") return outcome;
  const { failure: _passed, process, ...rest } = outcome;
  return { ...rest, status: "ok", ...(process ? { process: { ...process, exitCode: 0 } } : {}) };
}
