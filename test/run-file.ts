// Runs one test file in this process. Its output is printed, and its result is returned.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { leftOut } from "./programs-needed.ts";

export interface FileOutcome {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  /** Tests that could not run here, each with the reason. */
  readonly skipped: readonly string[];
  /** The failures, ready to be shown. */
  readonly failures: readonly string[];
  readonly tookMs: number;
  readonly processorMs: number;
}

type SuiteRun = () => Promise<[errors: string | true, passed: number, skipped: number, total: number]>;
const uvu = globalThis as unknown as { UVU_DEFER: number; UVU_INDEX: number; UVU_QUEUE: SuiteRun[][] };

const CI_SEED = 20_261_121;

export const testFolder = fileURLToPath(new URL(".", import.meta.url));

/**
 * Prepares the process before its first file. Tests neither see nor change the tools, caches and settings of the user,
 * nor of other test processes.
 */
export async function prepareProcess(): Promise<void> {
  const ownFolders = mkdtempSync(join(tmpdir(), "dottool-test-home-"));
  for (const name of ["CACHE", "CONFIG", "STATE"])
    process.env[`XDG_${name}_HOME`] = join(ownFolders, name.toLowerCase());
  process.on("exit", () => rmSync(ownFolders, { recursive: true, force: true }));
  uvu.UVU_DEFER = 1;
  uvu.UVU_QUEUE = [];
  // A developer's run tries other values each time; in CI the same code has the same result.
  if (process.env["CI"]) (await import("fast-check")).configureGlobal({ seed: CI_SEED });
}

/** Whether this is a test of the command line as text, which `script.ts` runs. */
export function isScript(file: string): boolean {
  return /^scripts\/[^/]+\.txt$/.test(file);
}

/** Runs `file`, a path below `testFolder`. */
export async function runFile(file: string): Promise<FileOutcome> {
  const startMs = performance.now();
  const processorStartMs = processorMs();
  uvu.UVU_INDEX = uvu.UVU_QUEUE.length;
  const suites: SuiteRun[] = (uvu.UVU_QUEUE[uvu.UVU_INDEX] = []);
  const count = { passed: 0, failed: 0 };
  const leftOutBefore = leftOut.length;
  const failures: string[] = [];
  const over = (): FileOutcome => ({
    file,
    ...count,
    skipped: leftOut.slice(leftOutBefore),
    failures,
    tookMs: Math.round(performance.now() - startMs),
    processorMs: processorMs() - processorStartMs,
  });
  const fail = (reason: string): FileOutcome => {
    count.failed++;
    failures.push(failureOf(file, reason));
    return over();
  };
  try {
    if (isScript(file)) (await import("./script.ts")).scriptSuite(file, join(testFolder, file));
    else await import(pathToFileURL(join(testFolder, file)).href);
  } catch (error) {
    return fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  if (suites.length === 0) return fail("no suite ran; end the file with `.run()`");
  for (const run of suites) {
    const [errors, passed, skipped, total] = await run();
    count.passed += passed;
    count.failed += total - passed - skipped;
    if (typeof errors === "string") failures.push(errors);
  }
  count.passed -= leftOut.length - leftOutBefore;
  return over();
}

const TICK_MS = 10;

/**
 * Returns the processor time of this process, and on Linux also of its children that have ended. A busy machine changes
 * it little.
 */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  if (!existsSync("/proc/self/stat")) return Math.round((user + system) / 1_000);
  const stat = readFileSync("/proc/self/stat", "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // utime, stime, cutime and cstime: see proc(5).
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
}

export function failureOf(file: string, reason: string): string {
  return `  ${file}: ${reason}\n`;
}
