// Runs the suites: `node test/run.ts [FILTER…] [--packaged] [--executable] [--bail]`. A FILTER is a part of a file's path;
// `--packaged` takes the tests of the built executable, which are left out otherwise; with `--executable` tests that start the program start that
// file instead of the sources; with `--bail` no further file begins behind the first that fails. Many files run in as many processes as there
// are processors, few in this one. The last line is always "N passed, N failed",
// also when a test ends the process; ", N skipped" follows where tests need what this machine lacks.
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import process from "node:process";
import { EXECUTABLE_VARIABLE, packagedFile } from "./program.ts";
import { failureOf, type FileOutcome, prepareProcess, runFile, testFolder } from "./run-file.ts";
import { runInWorkers } from "./run-workers.ts";

const SLOW_FILE_MS = 2_000;
const WORKERS_MAX = 4;
/** A process takes a second to load what most tests need. */
const FILES_EACH_MIN = 4;
const FLAGS = ["--bail", "--packaged", "--executable"];
/** Handed out first, so that no process is left with one of them at the end. Others may be as long; these were. */
const LONGEST = ["docs", "cli/changes", "language/properties", "base/substitution-program", "cli/program", "cli/completions", "language/command-attacks", "language/analyze", "language/parse", "wrapped-git-tools", "wrapped-tools"].map((name) => `${name}.test.ts`);

const words = process.argv.slice(2);
if (words.includes("--executable")) process.env[EXECUTABLE_VARIABLE] = packagedFile;
const slow: string[] = [];
const failures: string[] = [];
const skipped: string[] = [];
let passed = 0;
let failed = 0;
let isOver = false;

process.on("exit", () => {
  if (isOver) return;
  fail("test/run.ts", "the process ended before its tests did");
  close();
});
await main();

async function main(): Promise<void> {
  const unknown = words.find((word) => word.startsWith("--") && !FLAGS.includes(word));
  const files = pickFiles();
  if (unknown !== undefined) fail("test/run.ts", `there is no option \`${unknown}\`; there are ${FLAGS.join(" and ")}`);
  else if (files.length === 0) fail("test/run.ts", `no test file has ${words.map((word) => `\`${word}\``).join(" or ")} in its path`);
  else await runFiles(files);
  isOver = true;
  close();
}

function pickFiles(): readonly string[] {
  const filters = words.filter((word) => !word.startsWith("--"));
  return readdirSync(testFolder, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".test.ts"))
    .filter((file) => file.startsWith("packaged/") === words.includes("--packaged") || filters.some((filter) => filter.startsWith("packaged")))
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .sort();
}

async function runFiles(files: readonly string[]): Promise<void> {
  const count = Math.min(WORKERS_MAX, availableParallelism(), Math.floor(files.length / FILES_EACH_MIN));
  if (count > 1) return runInWorkers([...LONGEST.filter((file) => files.includes(file)), ...files.filter((file) => !LONGEST.includes(file))], { count, onOutcome: take });
  await prepareProcess();
  for (const file of files) if (!take(await runFile(file))) return;
}

/** Whether to go on. */
function take({ file, tookMs, ...outcome }: FileOutcome, printed = ""): boolean {
  process.stdout.write(`${printed}  ${file}  ${tookMs} ms\n`);
  if (tookMs > SLOW_FILE_MS) slow.push(`${file} ${(tookMs / 1000).toFixed(1)} s`);
  passed += outcome.passed;
  failed += outcome.failed;
  failures.push(...outcome.failures);
  skipped.push(...outcome.skipped);
  return outcome.failed === 0 || !words.includes("--bail");
}

function fail(file: string, reason: string): void {
  failed++;
  failures.push(failureOf(file, reason));
}

function close(): void {
  if (slow.length > 0) process.stdout.write(`\nslow: ${slow.join(", ")}\n`);
  if (failures.length > 0) process.stdout.write(`\n${failures.join("\n")}\n`);
  if (failed > 0 || passed === 0) process.exitCode = 1;
  if (skipped.length > 0) process.stdout.write(`\nskipped, because this machine lacks something:\n  ${skipped.join("\n  ")}\n`);
  process.stdout.write(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}\n`);
}
