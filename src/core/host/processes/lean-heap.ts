// Limits the memory of a program that runs for days: V8 lets a heap grow to a multiple of its live objects, and keeps
// free memory for minutes.
import process from "node:process";

/** The percentage by which the heap may grow above its live objects before V8 collects garbage. */
const GROWING_PERCENT = 20;
const LOOK_MS = 2_000;
/**
 * The size of the young generation up to which it may grow. With less, what 64 calls at once need outlives it, and
 * nearly half of the time goes to garbage collection; with V8's own limit it would keep 100 MB after a list of thousands.
 */
const YOUNG_BYTES_MAX = 16 * 1024 * 1024;
/** Less garbage is not worth some tenths of a second. */
const GARBAGE_BYTES_MIN = 24 * 1024 * 1024;
/**
 * The part of the time that a program at rest works. The collection throws away optimized code with the objects that it
 * was made for: in a busy program, calls took half as much time again.
 */
const REST_MAX = 0.05;

/** Frees the memory after a change or a list of thousands of definitions. Does nothing in another engine. */
export function keepHeapLean(): void {
  const v8 = process.getBuiltinModule("node:v8");
  const vm = process.getBuiltinModule("node:vm");
  try {
    growWithin(YOUNG_BYTES_MAX);
    v8.setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
    v8.setFlagsFromString("--expose-gc");
    const collect = vm.runInNewContext("gc") as (options: object) => void;
    const held = (): number => process.memoryUsage.rss();
    let livingBytes = 0;
    let before = performance.eventLoopUtilization();
    setInterval(() => {
      const { utilization } = performance.eventLoopUtilization(before);
      before = performance.eventLoopUtilization();
      if (utilization > REST_MAX || held() < livingBytes + GARBAGE_BYTES_MIN) return;
      // The last resort also gives back pages that V8 would use again.
      collect({ type: "major", execution: "sync", flavor: "last-resort" });
      livingBytes = held();
    }, LOOK_MS).unref();
  } catch {
    // Deno has these functions, but does not accept flags once it runs.
  }
}

/**
 * The number of collections in a second from which on the young generation may grow. To load the protocol of a server
 * takes less, and needs no more memory afterwards.
 */
const COLLECTIONS_MIN = 50;

/** Lets the young generation of a busy program double until it has this size. The collection at rest makes it small again. */
function growWithin(bytesMax: number): void {
  const v8 = process.getBuiltinModule("node:v8");
  const { PerformanceObserver } = process.getBuiltinModule("node:perf_hooks");
  let factor = 0;
  const growBy = (next: number): void => {
    if (next !== factor) v8.setFlagsFromString(`--semi-space-growth-factor=${next}`);
    factor = next;
  };
  growBy(1);
  let [fromMs, count] = [0, 0];
  const look = (collections: readonly PerformanceEntry[]): void => {
    const nowMs = collections.at(-1)?.startTime ?? 0;
    if (nowMs - fromMs > 1_000) [fromMs, count] = [nowMs, 0];
    count += collections.length;
    const young = v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
    growBy(count >= COLLECTIONS_MIN && (young?.space_size ?? bytesMax) < bytesMax ? 2 : 1);
  };
  new PerformanceObserver((seen) => look(seen.getEntries())).observe({ entryTypes: ["gc"] });
}
