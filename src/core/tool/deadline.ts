// Work under a deadline. A tool cannot know why its signal aborted; here it is decided.
import type { Outcome } from "./call.ts";
import type { Failure } from "./failure.ts";
import type { Host } from "./host.ts";
import type { ToolContext } from "./tool.ts";

/** Longer than a process takes to end: TERM, 2 s, KILL, sweep. */
export const ABANDON_MS = 5_000;

interface Deadline {
  /** Infinity: none. */
  readonly limitMs: number;
  /** The failure when the deadline passes. */
  readonly failure: Failure;
  /** The time that the work may take to end after an abort. The default is `ABANDON_MS`. */
  readonly endingMs?: number | undefined;
}

/** Runs work. Work that ignores the signal is abandoned, so that the caller has its answer in time. */
export async function underDeadline(
  work: (signal: AbortSignal) => Promise<Outcome>,
  context: Pick<ToolContext, "signal" | "host">,
  { limitMs, failure, endingMs = ABANDON_MS }: Deadline,
): Promise<Outcome> {
  const done = new AbortController();
  const ending = new AbortController();
  const { signal } = ending;
  let isLate = false;
  const late =
    limitMs === Number.POSITIVE_INFINITY
      ? undefined
      : context.host.sleep(limitMs, done.signal).then(() => {
          if (done.signal.aborted || signal.aborted) return;
          isLate = true;
          ending.abort();
        });
  // Written by hand, because the first `AbortSignal.any` takes longer than everything else here.
  const pass = (): void => ending.abort(context.signal.reason);
  context.signal.addEventListener("abort", pass);
  if (context.signal.aborted) pass();
  try {
    const outcome = await Promise.race([
      work(signal),
      abandonedAfter(signal, done.signal, { host: context.host, endingMs }),
    ]);
    if (outcome.status === "ok" || outcome.failure.kind !== "cancelled") return outcome;
    return context.signal.aborted || !isLate ? outcome : { ...outcome, failure };
  } finally {
    context.signal.removeEventListener("abort", pass);
    // Has a reason of its own, because the usual one is an error with a stack, which costs as much as everything else
    // here.
    done.abort("done");
    await late;
  }
}

function abandonedAfter(
  signal: AbortSignal,
  done: AbortSignal,
  { host, endingMs }: { readonly host: Host; readonly endingMs: number },
): Promise<Outcome> {
  return new Promise((resolve) => {
    const abandon = (): void => {
      void host
        .sleep(endingMs, done)
        .then(() => resolve({ status: "failed", content: [], failure: { kind: "cancelled" } }));
    };
    if (signal.aborted) abandon();
    else signal.addEventListener("abort", abandon);
  });
}

/** Reads `500ms`, `30s` or `5m`, up to a day; undefined for anything else. */
export function shortTimeMs(text: string): number | undefined {
  const [, digits = "", unit = ""] = /^(\d{1,6})(ms|s|m|h)$/.exec(text) ?? [];
  const ms = Number(digits) * ({ ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }[unit] ?? Number.NaN);
  return ms > 0 && ms <= 86_400_000 ? ms : undefined;
}
