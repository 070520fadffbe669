// Work that ends in time whatever it does: V8 stops a regular expression halfway only in a script that runs with a time
// limit.
import process from "node:process";
import type { Context, Script } from "node:vm";

interface Runner {
  readonly script: Script;
  readonly context: Context;
}

// Made once: a context costs 1 ms.
let runner: Runner | undefined;

/** Throws `{code: "ETIMEDOUT"}` when `work` is not done after `limitMs`, a whole number above 0. */
export function runBounded<T>(work: () => T, limitMs: number): T {
  runner ??= makeRunner();
  const { script, context } = runner;
  let result: { readonly value: T } | undefined;
  context["work"] = (): void => {
    result = { value: work() };
  };
  try {
    script.runInContext(context, { timeout: limitMs });
  } catch (error) {
    // The error belongs to the context, whose `Error` is not ours.
    if (isTimeout(error)) throw Object.assign(new Error(`not done after ${limitMs} ms`), { code: "ETIMEDOUT" });
    throw error;
  } finally {
    context["work"] = undefined;
  }
  if (!result) throw new Error("the work ended without a result");
  return result.value;
}

function makeRunner(): Runner {
  const vm = process.getBuiltinModule("node:vm");
  return { script: new vm.Script("work()"), context: vm.createContext(Object.create(null)) };
}

function isTimeout(error: unknown): boolean {
  return (
    typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}
