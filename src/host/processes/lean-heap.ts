// Limits the memory of a program that runs for days: V8 lets a heap grow to a multiple of its live objects, and keeps
// free memory for minutes.
import process from "node:process";

/** The percentage by which the heap may grow above its live objects before V8 collects garbage. */
const GROWING_PERCENT = 20;
const LOOK_MS = 2_000;
/** Less garbage is not worth some tenths of a second. */
const GARBAGE_BYTES_MIN = 24 * 1024 * 1024;

/** Frees the memory after a change or a list of thousands of definitions. Does nothing in another engine. */
export function keepHeapLean(): void {
  const v8 = process.getBuiltinModule("node:v8");
  const vm = process.getBuiltinModule("node:vm");
  try {
    // The young generation would keep 100 MB after a list of thousands.
    v8.setFlagsFromString("--semi-space-growth-factor=1");
    v8.setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
    v8.setFlagsFromString("--expose-gc");
    const collect = vm.runInNewContext("gc") as (options: object) => void;
    const held = (): number => process.memoryUsage.rss();
    let livingBytes = 0;
    setInterval(() => {
      if (held() < livingBytes + GARBAGE_BYTES_MIN) return;
      // The last resort also gives back pages that V8 would use again.
      collect({ type: "major", execution: "sync", flavor: "last-resort" });
      livingBytes = held();
    }, LOOK_MS).unref();
  } catch {
    // Deno has these functions, but does not accept flags once it runs.
  }
}
