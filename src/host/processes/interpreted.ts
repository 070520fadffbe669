// For a program that runs for milliseconds: what V8 compiles on other threads is ready when nobody needs it, and the
// end of the program waits for it (end-program.ts), 10 to 20 ms.
import process from "node:process";
import { threadsAreAtRest } from "./end-program.ts";

/** Keeps V8 from compiling functions that run often. Does nothing in another engine. */
export function onlyInterpret(): void {
  const v8 = process.getBuiltinModule("node:v8");
  try {
    for (const flag of ["--no-opt", "--no-maglev", "--no-sparkplug"]) v8.setFlagsFromString(flag);
    threadsAreAtRest();
  } catch {
    // Deno has the function, but does not accept flags once it runs.
  }
}
