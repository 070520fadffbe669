// Whole programs, timed from outside. They take turns, so that other work of the machine affects all of them.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "./table.mjs";

/**
 * Times programs, given as a name and `{argv, cwd, environment?, before?, input?}`. Returns medians in ms by name. The
 * first round is not counted.
 */
export function timePrograms(programs, rounds) {
  return Object.fromEntries(
    Object.entries(timesOfPrograms(programs, rounds)).map(([name, times]) => [name, median(times)]),
  );
}

/** Like `timePrograms`, with all times instead of their median. */
export function timesOfPrograms(programs, rounds) {
  const timesMs = new Map(Object.keys(programs).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, { argv, cwd, environment, before, input }] of Object.entries(programs)) {
      before?.();
      const startMs = performance.now();
      const { status, error, stderr } = spawnSync(argv[0], argv.slice(1), {
        cwd,
        env: environment ?? process.env,
        ...(input === undefined ? { stdio: ["ignore", "pipe", "pipe"] } : { input }),
        maxBuffer: 64e6,
      });
      const tookMs = performance.now() - startMs;
      if (error || status !== 0) throw new Error(`${name}: ${error ?? `exit code ${status}: ${stderr}`}`);
      if (round > 0) timesMs.get(name).push(tookMs);
    }
  }
  return Object.fromEntries(timesMs);
}

/** Runs of a program before the next has its turn, so that a tick of the count of processor time is little of them. */
const RUNS_IN_A_TURN = 5;
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/**
 * Like `timePrograms`, with the processor time of a run, which other work of the machine hardly changes. Returns means
 * in ms by name. Linux alone.
 */
export function processorTimesOf(programs, turns) {
  const sumsMs = new Map(Object.keys(programs).map((name) => [name, 0]));
  timePrograms(programs, 0);
  for (let turn = 0; turn < turns; turn++) {
    for (const [name, program] of Object.entries(programs)) {
      const before = processorMs("self").ofChildren;
      timePrograms({ [name]: program }, RUNS_IN_A_TURN - 1);
      sumsMs.set(name, sumsMs.get(name) + processorMs("self").ofChildren - before);
    }
  }
  return Object.fromEntries([...sumsMs].map(([name, sumMs]) => [name, sumMs / (turns * RUNS_IN_A_TURN)]));
}

/** Returns the processor time of a process so far, and that of its children which have ended, in ms. */
export function processorMs(pid) {
  // After the name, which may have blanks: the 12th to 15th are the times in user and kernel mode, of it and of these.
  const [, fields = ""] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
  const [user, kernel, childrenUser, childrenKernel] = fields.split(" ").slice(11, 15).map(Number);
  return { own: (user + kernel) * TICK_MS, ofChildren: (childrenUser + childrenKernel) * TICK_MS };
}

/** Works in an empty project with a home of its own. */
export async function withFolder(work) {
  const root = mkdtempSync(join(tmpdir(), "dottool-bench-"));
  try {
    const project = join(root, "project");
    const home = join(root, "home");
    for (const folder of [project, home]) mkdirSync(folder);
    return await work({ project, home, environment: { PATH: process.env.PATH, HOME: home } });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Trusts the project's `.tools`, as its owner does after a review; nothing in it runs before. */
export async function trustProject({ project, home }) {
  const { readContent, trustContent } = await import("../../src/core/catalog/trusted-content.ts");
  const { createNodeHost } = await import("../../src/core/host/node-host.ts");
  const host = createNodeHost();
  const own = {
    ...host,
    folders: { ...host.folders, state: join(home, ".local/state/dottool"), temporary: host.folders.temporary },
  };
  trustContent(readContent(join(project, ".tools"), own), own);
}

/** Writes as many definitions as a large team has, each with a command, parameters and an example. */
export function writeDefinitions(folder, count) {
  mkdirSync(folder, { recursive: true });
  for (let index = 0; index < count; index++) writeFileSync(join(folder, `tool_${index}.tool`), definition(index));
}

export function definition(index) {
  return `Shows the lines of a log that mention a service, newest last. Number ${index} of many.

@title Log Lines ${index}
@name tool_${index}
@wrapped run_command
@command grep -n {case} -m {count} -e {service} -- {file}
@param service {string} [required] The service to look for
@param file {path} [default=service.log] The log to read
@param count {integer} [default=20, min=1, max=1000] The most lines to show
@param case {boolean} [flag="-i"] Whatever its case
@tags read logs
@example {"service": "billing-${index}"}
`;
}
