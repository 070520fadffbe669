// Runs the suites, one file after the other: `node test/run.ts [FILTER…] [--packaged] [--bail]`. A FILTER is a part of a file's path;
// `--packaged` takes the tests of the built executable, which are left out otherwise; `--bail` stops behind the first file that fails.
// The last line is always "N passed, N failed", also when a test ends the process.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

type SuiteRun = () => Promise<[errors: string | true, passed: number, skipped: number, total: number]>;
const uvu = globalThis as unknown as { UVU_DEFER: number; UVU_INDEX: number; UVU_QUEUE: SuiteRun[][] };

const SLOW_FILE_MS = 2_000;
const CI_SEED = 20_261_121;
const FLAGS = ["--bail", "--packaged"];

const folder = fileURLToPath(new URL(".", import.meta.url));
const words = process.argv.slice(2);
const slow: string[] = [];
const failures: string[] = [];
let passed = 0;
let failed = 0;
let isOver = false;

// Tests neither see nor change the tools, caches and settings of whoever runs them.
const ownFolders = mkdtempSync(join(tmpdir(), "dottool-test-home-"));
for (const name of ["CACHE", "CONFIG", "STATE"]) process.env[`XDG_${name}_HOME`] = join(ownFolders, name.toLowerCase());

process.on("exit", () => {
  rmSync(ownFolders, { recursive: true, force: true });
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
  else {
    // At a desk each run tries other values; in CI the same code has the same answer.
    if (process.env["CI"]) (await import("fast-check")).configureGlobal({ seed: CI_SEED });
    await runFiles(files);
  }
  isOver = true;
  close();
}

function pickFiles(): readonly string[] {
  const filters = words.filter((word) => !word.startsWith("--"));
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".test.ts"))
    .filter((file) => file.startsWith("packaged/") === words.includes("--packaged") || filters.some((filter) => filter.startsWith("packaged")))
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .sort();
}

async function runFiles(files: readonly string[]): Promise<void> {
  uvu.UVU_DEFER = 1;
  uvu.UVU_QUEUE = [];
  for (const [index, file] of files.entries()) {
    const startMs = performance.now();
    const failedBefore = failed;
    uvu.UVU_INDEX = index;
    await runFile(file, (uvu.UVU_QUEUE[index] = []));
    const tookMs = Math.round(performance.now() - startMs);
    process.stdout.write(`  ${file}  ${tookMs} ms\n`);
    if (tookMs > SLOW_FILE_MS) slow.push(`${file} ${(tookMs / 1000).toFixed(1)} s`);
    if (failed > failedBefore && words.includes("--bail")) return;
  }
}

async function runFile(file: string, suites: readonly SuiteRun[]): Promise<void> {
  try {
    await import(pathToFileURL(join(folder, file)).href);
  } catch (error) {
    fail(file, error instanceof Error ? (error.stack ?? error.message) : String(error));
    return;
  }
  if (suites.length === 0) fail(file, "no suite ran; end the file with `.run()`");
  for (const run of suites) {
    const [errors, suitePassed, skipped, total] = await run();
    passed += suitePassed;
    failed += total - suitePassed - skipped;
    if (typeof errors === "string") failures.push(errors);
  }
}

function fail(file: string, reason: string): void {
  failed++;
  failures.push(`  ${file}: ${reason}\n`);
}

function close(): void {
  if (slow.length > 0) process.stdout.write(`\nslow: ${slow.join(", ")}\n`);
  if (failures.length > 0) process.stdout.write(`\n${failures.join("\n")}\n`);
  if (failed > 0 || passed === 0) process.exitCode = 1;
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
}
