// Memory of a program that runs for days: V8 lets a heap grow to a multiple of what lives in it before it looks for what does not.
import process from "node:process";

/** How much may come on top of what lives: a server takes some more time to collect garbage, and half of the memory. */
const GROWING_PERCENT = 20;
const SEMI_SPACE_MIB_MAX = 4;

/** Changes nothing where another engine runs. */
export function keepHeapLean(): void {
  const v8 = process.getBuiltinModule("node:v8");
  try {
    v8.setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
    v8.setFlagsFromString(`--max-semi-space-size=${SEMI_SPACE_MIB_MAX}`);
  } catch {
    // Deno knows the function, and takes no flag once it runs.
  }
}
