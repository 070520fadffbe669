// The clock that never goes back. `performance.now()` would load node:perf_hooks, which costs every call more than half
// a millisecond.
import process from "node:process";

let leftOutMs = 0;

/** Returns the milliseconds since a moment before the program began, without those in which it was stopped. */
export function nowMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6 - leftOutMs;
}

/** Leaves out a time in which nothing could be done, so that no limit counts it. */
export function leaveOut(durationMs: number): void {
  leftOutMs += durationMs;
}
