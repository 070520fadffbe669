// The clock that never goes back. `performance.now()` would load node:perf_hooks, which costs every call more than half a millisecond.
import process from "node:process";

/** Milliseconds since some moment before the program began. */
export function nowMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
