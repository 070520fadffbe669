// Finds the processes of a run. On Linux /proc shows them: those of its process group, those with the run's id in their
// environment, and those with its mark, which remains after a process has left the group and cleared its environment.
import { Buffer } from "node:buffer";
import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import process from "node:process";
import type { Platform } from "../../tool/command.ts";
import { codeOf } from "../../tool/error-code.ts";
import { RUN_ID_VARIABLE } from "../../tool/run-id.ts";
import { nowMs } from "../monotonic-clock.ts";
import { keepMark, type ProcessMark } from "./process-mark.ts";

/** All processes that one run has started. */
export interface ProcessTree {
  readonly platform: Platform;
  /** The id of the started process, which leads its own group, unless it has the terminal. */
  readonly pid: number;
  readonly hasTerminal?: true | undefined;
  /** Set if the started process is a sandbox, whose end kills everything in it at once. */
  readonly isContained?: true | undefined;
  /** Unique: 32 hexadecimal digits. Inner runs of a nested dottool carry it too. */
  readonly runId: string;
  /** The time of `nowMs()`. */
  readonly startedAtMs: number;
  /** The mark of each process of the run. Absent if there are no marks. */
  readonly mark?: ProcessMark | undefined;
}

export interface Members {
  /** Process ids, or the negative group id if single processes are not known. */
  readonly pids: readonly number[];
  /** Whether one has no environment yet, because it is about to become another program, and no mark identifies it. */
  readonly isUnsure: boolean;
}

/**
 * Process ids are assigned in turn. While a run is this young they have not wrapped around, so the ids of its processes
 * follow its own.
 */
const YOUNG_MS_MAX = 2_000;
/** Up to this many ids are checked one by one; for more, listing /proc is cheaper. */
const PROBES_MAX = 64;
/** The limit of passes; each takes some 0.05 ms, or 3 ms if 64 processes were started meanwhile. */
const PASSES_MAX = 400;
/** The limit of passes without a process of the run, on a system where others start processes all the time. */
const FRUITLESS_PASSES_MAX = 40;
const QUIET_PASSES = 3;
/** The wait between passes that end what they find. */
const QUIET_MS = 1;
const KERNEL_THREAD_FLAG = 0x00200000;
const otherRun = new RegExp(`(?:^|\\0)${RUN_ID_VARIABLE}=[0-9a-f]{32}`);

/**
 * Returns the living processes. A process that keeps forking and ending is newer than each list of processes, but not
 * newer than the last assigned id. So the ids that were assigned during the search are checked too, until there are
 * none. The system assigns an id some time before it shows its process: an id without one is checked again. For the
 * same reason `strike` gets each process at once; without it one process is enough.
 */
export function membersOf(tree: ProcessTree, strike?: (pid: number) => void): Members {
  const found = new Set<number>();
  let isUnsure = false;
  let newest = newestPid();
  let pids = tree.platform === "linux" ? (youngPids(tree, newest) ?? allPids()) : undefined;
  if (pids === undefined) {
    const target = tree.hasTerminal ? tree.pid : -tree.pid;
    return { pids: isReachable(target) ? [target] : [], isUnsure };
  }
  for (let pass = 0, quiet = 0, fruitless = 0; pass < PASSES_MAX && fruitless < FRUITLESS_PASSES_MAX; pass++) {
    const absent: number[] = [];
    const foundBefore = found.size;
    for (const pid of pids) {
      const answer = belongs(pid, tree);
      if (answer === "absent" && pid !== tree.pid) absent.push(pid);
      isUnsure ||= answer === "unsure";
      if (answer !== "yes") continue;
      strike?.(pid);
      found.add(pid);
    }
    if (found.size > 0 && !strike) break;
    const latest = newestPid();
    const again = absent.slice(-PROBES_MAX);
    pids =
      latest >= newest && latest - newest <= PROBES_MAX ? [...again, ...range(newest + 1, latest)] : (allPids() ?? []);
    fruitless = found.size === foundBefore ? fruitless + 1 : 0;
    quiet = latest === newest && fruitless > 0 ? quiet + 1 : 0;
    if (pids.length === 0 || quiet === QUIET_PASSES) break;
    if (strike && quiet > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, QUIET_MS);
    newest = latest;
  }
  return { pids: [...found], isUnsure: isUnsure && found.size === 0 };
}

function belongs(pid: number, tree: ProcessTree): "yes" | "no" | "unsure" | "absent" {
  if (pid === process.pid) return "no";
  // Checked first, because most of these reads would create an error with its stack.
  if (!existsSync(`/proc/${pid}`)) return "absent";
  const environment = readProc(`/proc/${pid}/environ`);
  if (environment === undefined) return "absent";
  if (environment.includes(tree.runId)) return "yes";
  const status = statusOf(pid);
  if (!status.isAlive) return "no";
  if (status.group === tree.pid) return "yes";
  if (tree.mark === undefined) return environment === "" ? "unsure" : "no";
  // A run in a container, seen from outside, may have the same mark. A process that we may not end is not waited for.
  const isOurs =
    markOf(pid) === tree.mark && !otherRun.test(environment) && status.startedAt >= statusOf(process.pid).startedAt;
  if (!isOurs) return "no";
  if (isReachable(pid)) return "yes";
  keepMark(tree.mark);
  return "no";
}

/**
 * Returns the ids that were assigned after the run's own process: usually none or few. Undefined if there are too many,
 * or the run is too old.
 */
function youngPids(tree: ProcessTree, newest: number): readonly number[] | undefined {
  const isYoung = nowMs() - tree.startedAtMs < YOUNG_MS_MAX && newest >= tree.pid && newest - tree.pid <= PROBES_MAX;
  return isYoung ? range(tree.pid, newest) : undefined;
}

function allPids(): readonly number[] | undefined {
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => pid > 1);
  } catch {
    return undefined;
  }
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_item, index) => first + index);
}

/** Returns the last assigned id, from the fifth field of /proc/loadavg; 0 if unknown. */
function newestPid(): number {
  return Number(readProc("/proc/loadavg")?.trim().split(" ")[4] ?? 0);
}

/** Returns the mark of a process; zombies and kernel threads have none. */
function markOf(pid: number): number | undefined {
  const text = readProc(`/proc/${pid}/coredump_filter`);
  return text === undefined || text === "" ? undefined : Number.parseInt(text, 16);
}

interface Status {
  readonly isAlive: boolean;
  readonly group: number;
  /** The start time in ticks since the system started. */
  readonly startedAt: number;
}

function statusOf(pid: number): Status {
  const line = readProc(`/proc/${pid}/stat`) ?? "";
  // The second field is the program's name in parentheses, and may contain anything.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const state = fields[0] ?? "";
  const isKernelThread = (Number(fields[6]) & KERNEL_THREAD_FLAG) !== 0;
  return {
    isAlive: line !== "" && state !== "Z" && state !== "X" && !isKernelThread,
    group: Number(fields[2]),
    startedAt: Number(fields[19]),
  };
}

/** Returns undefined if the process is gone; `?` if it does not show this, such as ssh-agent. */
function readProc(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    return codeOf(error) === "EACCES" ? "?" : undefined;
  }
  try {
    let text = "";
    for (let length = -1; length !== 0 && text.length < ENVIRONMENT_BYTES_MAX; ) {
      length = readSync(file, buffer);
      text += buffer.toString("latin1", 0, length);
    }
    return text;
  } catch (error) {
    return codeOf(error) === "EACCES" ? "?" : undefined;
  } finally {
    closeSync(file);
  }
}

/** The system's limit of an environment; our own id may be anywhere in it. */
const ENVIRONMENT_BYTES_MAX = 4 * 1024 * 1024;
// One buffer for all reads, because these files are read often, and the memory of new buffers would not be freed.
const buffer = Buffer.allocUnsafeSlow(64 * 1024);

function isReachable(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
