// The reaction to a failure: the tool is tried again, then its fallback runs, then the failure may be ignored.
import type { Outcome } from "../tool/call.ts";
import { ABANDON_MS, underDeadline } from "../tool/deadline.ts";
import { type Failure, LONGER_LIMIT } from "../tool/failure.ts";
import type { ToolContext } from "../tool/tool.ts";

interface Retries {
  /** The total number: 1 tries once. */
  readonly attempts: number;
  /** The delay before the second attempt. */
  readonly delayMs: number;
  /** Each delay is twice the one before it. */
  readonly isExponential?: boolean;
}

export const ONCE: Retries = { attempts: 1, delayMs: 0 };

export interface Recovery extends Retries {
  readonly fallback?: (context: ToolContext) => Promise<Outcome>;
  readonly ignoresErrors: boolean;
  /** See `Tool.endingMs`. */
  readonly endingMs?: number | undefined;
  /** Returns the limit of one attempt if its base tool may take `timeoutMs`. */
  attemptMs(timeoutMs: number): number;
}

/** Returns the total limit. Each attempt has its own end, which may take a while. */
export function recoveryMs(
  { attempts, delayMs, isExponential = false, fallback, attemptMs }: Recovery,
  timeoutMs: number,
): number {
  const runs = attempts + (fallback ? 1 : 0);
  return runs === 1
    ? attemptMs(timeoutMs)
    : runs * (attemptMs(timeoutMs) + ABANDON_MS) + delaysMs({ attempts, delayMs, isExponential });
}

const DELAY_MS_MAX = 3_600_000;

function delayAfter(attempt: number, { delayMs, isExponential }: Omit<Retries, "attempts">): number {
  return isExponential ? Math.min(DELAY_MS_MAX, delayMs * 2 ** (attempt - 1)) : delayMs;
}

function delaysMs(recovery: Retries): number {
  let all = 0;
  for (let attempt = 1; attempt < recovery.attempts; attempt++) all += delayAfter(attempt, recovery);
  return all;
}

export async function withRecovery(
  attempt: (context: ToolContext) => Promise<Outcome>,
  recovery: Recovery,
  context: ToolContext,
): Promise<Outcome> {
  const { attempts, fallback, ignoresErrors } = recovery;
  const timely = attempts === 1 && !fallback ? attempt : inTime(attempt, recovery);
  let outcome: Outcome | undefined;
  for (let number = 1; number <= attempts; number++) {
    const isLast = number === attempts && !fallback;
    // The output of a failed attempt must not mix with that of the next.
    const held = isLast ? undefined : new (await import("../output/held-output.ts")).HeldEvents(context);
    const emit: ToolContext["emit"] = (event) =>
      event.kind === "output" && held ? held.add(event) : context.emit(event);
    const span = attempts === 1 && !fallback ? undefined : context.span?.begin({ kind: "attempt", number });
    const own = span ? { ...context, span } : context;
    const { lendTerminal: _shown, ...unlent } = own;
    try {
      outcome = await timely(held ? { ...unlent, emit } : own);
    } catch (error) {
      await held?.end();
      throw error;
    }
    span?.end(outcome);
    const next = outcome.status === "ok" || isLast || context.signal.aborted ? "end" : nextAfter(outcome.failure);
    if (next === "end" || (next === "fallback" && !fallback)) {
      await held?.end(context.emit);
      break;
    }
    await held?.end();
    await context.emit({ kind: "progress", text: `attempt ${number} of ${attempts} failed` });
    if (next === "attempt" && number < attempts) {
      await context.host.sleep(delayAfter(number, recovery), context.signal);
    } else if (fallback) {
      const fallbackSpan = context.span?.begin({ kind: "fallback" });
      outcome = await inTime(fallback, recovery)(fallbackSpan ? { ...context, span: fallbackSpan } : context);
      fallbackSpan?.end(outcome);
      break;
    }
  }
  if (!outcome) throw new Error("a tool is attempted at least once");
  return ignoresErrors ? letPass(outcome) : outcome;
}

/** Limits an attempt: one that hangs must leave time for the next. */
function inTime(
  attempt: (context: ToolContext) => Promise<Outcome>,
  { attemptMs, endingMs }: Recovery,
): (context: ToolContext) => Promise<Outcome> {
  return (context) => {
    const { timeoutMs } = context.limits;
    return underDeadline((signal) => attempt({ ...context, signal }), context, {
      limitMs: attemptMs(timeoutMs),
      failure: { kind: "timeout", limitMs: timeoutMs, help: [LONGER_LIMIT] },
      endingMs,
    });
  };
}

/** A failed command or network may work next time; a missing program will not, but another command may. */
function nextAfter(failure: Failure): "attempt" | "fallback" | "end" {
  if (failure.kind === "step-failed") return nextAfter(failure.cause);
  if (failure.kind === "exit" || failure.kind === "network" || failure.kind === "busy" || failure.kind === "timeout")
    return "attempt";
  return failure.kind === "not-started" ? "fallback" : "end";
}

function letPass(outcome: Outcome): Outcome {
  if (outcome.status === "ok" || outcome.failure.kind !== "exit") return outcome;
  const { failure: _passed, process, ...rest } = outcome;
  return { ...rest, status: "ok", ...(process ? { process: { ...process, exitCode: 0 } } : {}) };
}
