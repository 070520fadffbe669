// Runs the suites: `node test/run.ts [FILTER…] [--packaged] [--executable | --launcher | --sources] [--bail] [--long |
// --few]`. A FILTER is a part of a file's path; `--packaged` takes the tests of the built executables, which are left
// out otherwise. Where all files run, what tests start as the program is the executable, built where it is older than
// the sources, beside the files that do not start it: it starts in a third of the time, and it is what users have; its
// own tests run too. With a FILTER, `--sources` or in Deno it is the sources, with `--executable` the executable as it
// is, with `--launcher` its launcher and a resident process. With `--bail` no further file begins behind the first that
// fails; with `--long` tests try all that they can and generate more, from a seed that is named and that
// DOTTOOL_TESTS_SEED repeats. With `--few` rows that each start the program are tried in part, for Deno on each push:
// all of them run in Node, and in `npm run test:deno:all`. Without any of these, the files of left-to-ci.ts and
// in-turn.ts are left out unless CI is set; with it, those of in-turn.ts take turns from commit to commit, unless
// CI_FULL is set too. Many
// files run in two processes for each processor, few in this one. The last line is always "N
// passed, N failed", also when a test ends the process; ", N skipped" follows where tests need what this machine lacks.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { failureOf, type FileOutcome, isScript, prepareProcess, runFile, testFolder } from "./run-file.ts";
import { openLauncher } from "./launched-program.ts";
import { leftToCi } from "./left-to-ci.ts";
import { commitOf, inTurn, inTurnInDeno, isInTurn } from "./in-turn.ts";
import { EXECUTABLE_VARIABLE, FEW_VARIABLE, packagedFile, packagedTarget, SEED_VARIABLE } from "./run-variables.ts";
import { runInWorkers } from "./run-workers.ts";

const SLOW_FILE_MS = 2_000;
const WORKERS_MAX = 8;
/** Many files wait for processes most of the time. */
const WORKERS_EACH_PROCESSOR = 3;
/** A process takes a second to load what most tests need. */
const FILES_EACH_MIN = 4;
const FLAGS = ["--bail", "--packaged", "--executable", "--launcher", "--sources", "--long", "--few"];
/**
 * How long each file took lately, in ms, so that the longest are handed out first and no process is left with one of
 * them at the end.
 */
const TIMES_FILE = join(testFolder, "../node_modules/.cache/dottool-test-times.json");
const OF_EXECUTABLE = "packaged/executable.test.ts";
/** Where nothing was measured yet. */
const LONGEST = [
  "cli/queue-faults",
  "cli/queue-steps",
  "forge/registry",
  "forge/requests",
  "forge/judges",
  "forge/small-disk",
  "cli/sandbox",
  "hostile/hostile",
  "mcp/server-at-once",
  "recipes",
  "cli/system-faults",
  "mcp/server-balanced",
  "policy/bound-approvals",
  "cli/queue",
  "mcp/server-bad-input",
  "mcp/server-changes",
  "mcp/conformance",
  "mcp/client-conformance",
  "packaged/executable",
  "mcp/server-long-output",
  "mcp/server-approval",
  "mcp/server-calls",
  "plugins/library",
  "cli/runs-resume",
  "cli/list-changes",
  "cli/package-registry",
  "language/command-options",
  "mcp/server-errors",
  "cli/package-audit",
  "cli/package-provenance",
  "cli/packages-interrupted",
  "cli/trace",
  "language/analyze",
  "mcp/server-clients",
  "cli/unread-output",
  "mcp/server-plain-http",
  "cli/starter",
  "tool/lock-file",
  "readme",
  "docs",
  "cli/unusable-folders",
  "cli/agent",
  "cli/changes",
  "plugins/program",
  "mcp/server-tasks",
  "mcp/server-secrets",
  "steps/hostile",
  "host/survivors",
  "host/killed-writes",
  "language/command-properties",
  "host/process-tree",
];

const root = fileURLToPath(new URL("..", import.meta.url));
const words = process.argv.slice(2);
const isFew = words.includes("--few");
const filters = words.filter((word) => !word.startsWith("--"));
/** The machines that executables are made for. */
const bases = JSON.parse(readFileSync(new URL("../scripts/bases.json", import.meta.url), "utf8")) as object;
const buildsExecutable =
  filters.length === 0 &&
  !["--packaged", "--executable", "--launcher", "--sources"].some((flag) => words.includes(flag)) &&
  !("Deno" in globalThis) &&
  packagedTarget in bases;
if (buildsExecutable || words.includes("--executable")) process.env[EXECUTABLE_VARIABLE] = packagedFile;
if (words.includes("--launcher")) process.env[EXECUTABLE_VARIABLE] = openLauncher(packagedFile);
if (isFew) process.env[FEW_VARIABLE] = "1";
if (words.includes("--long")) {
  process.env[SEED_VARIABLE] ??= String(Math.floor(Math.random() * 2 ** 31));
  process.stdout.write(`seed: ${SEED_VARIABLE}=${process.env[SEED_VARIABLE]}\n`);
}
const runsAll = filters.length > 0 || ["--packaged", "--executable", "--long"].some((flag) => words.includes(flag));
const leavesOut = !runsAll && !process.env["CI"];
const takesTurns = (!runsAll || isFew) && Boolean(process.env["CI"]) && !process.env["CI_FULL"];
const tookMs: Record<string, number> = {};
const processorMs: Record<string, number> = {};
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
  if (unknown !== undefined) fail("test/run.ts", `there is no option \`${unknown}\`; there are ${FLAGS.join(", ")}`);
  else if (files.length === 0)
    fail("test/run.ts", `no test file has ${words.map((word) => `\`${word}\``).join(" or ")} in its path`);
  else await runFiles(files, buildsExecutable ? built() : Promise.resolve(true));
  isOver = true;
  close();
}

/** Builds the executable while the files run that do not start it. Resolves to whether there is one. */
async function built(): Promise<boolean> {
  const child = spawn(process.execPath, ["scripts/package.mjs", "--when-stale"], { cwd: root, stdio: "inherit" });
  const [exitCode] = (await once(child, "close")) as [number | null];
  if (exitCode !== 0) fail("test/run.ts", "the executable cannot be built; `--sources` runs the tests without it");
  return exitCode === 0;
}

/** Whether a test file starts the program: it, or a file of test/ that it imports, names what knows where it is. */
function startsProgram(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = readFileSync(join(testFolder, file), "utf8");
  if (isScript(file) || text.includes("run-variables.ts")) return true;
  const imports = [...text.matchAll(/^(?:import .*|\} )from "(\.{1,2}\/[^"]+)"/gm)].map(([, path = ""]) =>
    join(dirname(file), path),
  );
  // Files that a test writes for itself have imports too.
  const own = imports.filter((path) => !path.startsWith("..") && existsSync(join(testFolder, path)));
  return own.some((path) => startsProgram(path, seen));
}

function pickFiles(): readonly string[] {
  const files = filesOfWords();
  const commit = takesTurns ? commitOf(root) : undefined;
  const picked = files.filter((file) =>
    leavesOut
      ? !inTurn.includes(file) && !leftToCi.some((part) => file.includes(part))
      : commit === undefined || isInTurn(file, commit, isFew ? inTurnInDeno : inTurn),
  );
  if (picked.length < files.length)
    process.stdout.write(
      `${files.length - picked.length} long files are ${leavesOut ? "left to CI; `CI=1 npm test` runs them too" : "the turn of other commits; with CI_FULL=1 all run"}\n`,
    );
  return picked;
}

function filesOfWords(): readonly string[] {
  return readdirSync(testFolder, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".test.ts") || isScript(file))
    .filter(
      (file) =>
        file.startsWith("packaged/") === words.includes("--packaged") ||
        (buildsExecutable && file === OF_EXECUTABLE) ||
        filters.some((filter) => filter.startsWith("packaged")),
    )
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .sort();
}

function longestFirst(files: readonly string[]): readonly string[] {
  const guessed = Object.fromEntries(LONGEST.map((name, index) => [`${name}.test.ts`, 1_000_000 - index]));
  const times = measuredTimes() ?? guessed;
  return files.toSorted((one, other) => (times[other] ?? 0) - (times[one] ?? 0));
}

function measuredTimes(): Readonly<Record<string, number>> | undefined {
  try {
    return JSON.parse(readFileSync(TIMES_FILE, "utf8")) as Record<string, number>;
  } catch {
    return undefined;
  }
}

function keepTimes(): void {
  try {
    mkdirSync(dirname(TIMES_FILE), { recursive: true });
    writeFileSync(TIMES_FILE, JSON.stringify({ ...measuredTimes(), ...tookMs }));
  } catch {
    // Without them the next run is handed out as it comes.
  }
}

async function runFiles(files: readonly string[], isReady: Promise<boolean>): Promise<void> {
  const count = Math.min(
    WORKERS_MAX,
    WORKERS_EACH_PROCESSOR * availableParallelism(),
    Math.floor(files.length / FILES_EACH_MIN),
  );
  if (count > 1) {
    const [later = [], first = []] = [true, false].map((starts) =>
      files.filter((file) => startsProgram(file) === starts),
    );
    void isReady.then((isIt) => {
      if (!isIt) for (const file of later) fail(file, "it did not run, because it starts the executable");
    });
    return runInWorkers(longestFirst(first), { count, later: longestFirst(later), isReady, onOutcome: take });
  }
  if (!(await isReady)) return;
  await prepareProcess();
  for (const file of files) if (!take(await runFile(file))) return;
}

/** Whether to go on. */
function take({ file, tookMs: ms, ...outcome }: FileOutcome, printed = ""): boolean {
  process.stdout.write(`${printed}  ${file}  ${ms} ms, of processors ${outcome.processorMs} ms\n`);
  tookMs[file] = ms;
  processorMs[file] = outcome.processorMs;
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
  keepTimes();
  const slow = Object.entries(tookMs)
    .filter(([, ms]) => ms > SLOW_FILE_MS)
    .sort(([, one], [, other]) => other - one);
  if (slow.length > 0)
    process.stdout.write(
      `\nslow, each with its time on processors: ${slow.map(([file, ms]) => `${file} ${seconds(ms)} s (${seconds(processorMs[file] ?? 0)})`).join(", ")}\n`,
    );
  if (failures.length > 0) process.stdout.write(`\n${failures.join("\n")}\n`);
  if (failed > 0 || passed === 0) process.exitCode = 1;
  if (skipped.length > 0)
    process.stdout.write(`\nskipped, because this machine lacks something:\n  ${skipped.join("\n  ")}\n`);
  process.stdout.write(
    `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}\n`,
  );
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
