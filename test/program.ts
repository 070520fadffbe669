// The program as tests start it: the packaged file for this machine, or its sources under the runtime of the tests.
// test/run.ts says when.
import process from "node:process";
import { fileURLToPath } from "node:url";
import { compiled, EXECUTABLE_VARIABLE } from "./run-variables.ts";

const isDeno = "Deno" in globalThis;

/**
 * Variables for programs: types are stripped and code is compiled once for all runs. The program itself starts as
 * usual.
 */
export const compileCache: Readonly<Record<string, string>> = isDeno
  ? { DENO_DIR: compiled("dottool-tests-deno") }
  : { NODE_COMPILE_CACHE: compiled("dottool-tests") };

export interface Program {
  readonly command: string;
  /** The words before the program's own. */
  readonly words: readonly string[];
}

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const executable = process.env[EXECUTABLE_VARIABLE];

export const program: Program =
  executable !== undefined
    ? { command: executable, words: [] }
    : { command: process.execPath, words: isDeno ? ["run", "-A", main] : [main] };
