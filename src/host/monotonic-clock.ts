// The clock that never goes back. `performance.now()` would load node:perf_hooks, which costs every call more than half
// a millisecond.
import process from "node:process";

let leftOutMs = 0;

/** Milliseconds since some moment before the program began, without those in which it was stopped at a terminal. */
export function nowMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6 - leftOutMs;
}

/** Time that nothing could be done in, so that no limit counts it. */
export function leaveOut(durationMs: number): void {
  leftOutMs += durationMs;
}
