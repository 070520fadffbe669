// Runs work with a time limit: V8 can interrupt a regular expression only in a script that runs with one.
import process from "node:process";
import type { Context, Script } from "node:vm";

interface Runner {
  readonly script: Script;
  readonly context: Context;
}

// Created once, because a context takes 1 ms.
let runner: Runner | undefined;

/** Throws `{code: "ETIMEDOUT"}` if `work` is not done after `limitMs`, a whole number above 0. */
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
    // The error has the `Error` class of the context, not ours.
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
