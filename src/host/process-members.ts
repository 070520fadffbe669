// Which processes belong to a run. On Linux /proc tells: those of its process group, those that carry the run's id in
// their environment, and those that have its mark, which is left to a process that has left the group and cleared its
// environment.
import { Buffer } from "node:buffer";
import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import process from "node:process";
import type { Platform } from "../tool/command.ts";
import { codeOf } from "../tool/error-code.ts";
import { RUN_ID_VARIABLE } from "../tool/run-id.ts";
import { nowMs } from "./monotonic-clock.ts";
import type { ProcessMark } from "./process-mark.ts";

/** Everything that one run has started. */
export interface ProcessTree {
  readonly platform: Platform;
  /** Of the process started, which leads its own group. */
  readonly pid: number;
  /** Unique: 32 hexadecimal digits. Inner runs of a nested dottool carry it too. */
  readonly runId: string;
  /** As `nowMs()`. */
  readonly startedAtMs: number;
  /** Of each process of the run. Absent where there are no marks. */
  readonly mark?: ProcessMark | undefined;
}

export interface Members {
  /** Process ids, or the negative group id where single processes cannot be told. */
  readonly pids: readonly number[];
  /** Whether there is one without an environment yet, about to become another program, and no mark to tell it by. */
  readonly isUnsure: boolean;
}

/**
 * Process ids are given in turn. While a run is this young they have not come round, so its processes are younger ids
 * than its own.
 */
const YOUNG_MS_MAX = 2_000;
/** Up to this many ids are looked at one by one; above, listing /proc is cheaper. */
const PROBES_MAX = 64;
/** Each takes some 0.05 ms, or 3 ms where 64 processes were started meanwhile. */
const PASSES_MAX = 400;
/** Without one of the run, on a system where others start processes all the time. */
const FRUITLESS_PASSES_MAX = 40;
const QUIET_PASSES = 3;
/** Between those of a look that ends what it finds. */
const QUIET_MS = 1;
const KERNEL_THREAD_FLAG = 0x00200000;
const otherRun = new RegExp(`(?:^|\\0)${RUN_ID_VARIABLE}=[0-9a-f]{32}`);

/**
 * Who lives. What forks and ends at once, again and again, is behind each list of processes, but not behind the id that
 * was given last. So the ids that were given during the look are looked at too, until none was. The system gives an id
 * some time before it shows its process: an id without one is looked at again. `strike` gets each at the moment when it
 * is found, for the same reason; without it one is enough.
 */
export function membersOf(tree: ProcessTree, strike?: (pid: number) => void): Members {
  const found = new Set<number>();
  let isUnsure = false;
  let newest = newestPid();
  let pids = tree.platform === "linux" ? (youngPids(tree, newest) ?? allPids()) : undefined;
  if (pids === undefined) return { pids: isReachable(-tree.pid) ? [-tree.pid] : [], isUnsure };
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
  // Asked first: an error with its stack is what most of these looks would make.
  if (!existsSync(`/proc/${pid}`)) return "absent";
  const environment = readProc(`/proc/${pid}/environ`);
  if (environment === undefined) return "absent";
  if (environment.includes(tree.runId)) return "yes";
  const status = statusOf(pid);
  if (!status.isAlive) return "no";
  if (status.group === tree.pid) return "yes";
  if (tree.mark === undefined) return environment === "" ? "unsure" : "no";
  // A run in a container, seen from outside, may have the same mark. One that may not be ended is nobody to wait for.
  const isOurs =
    markOf(pid) === tree.mark && !otherRun.test(environment) && status.startedAt >= statusOf(process.pid).startedAt;
  return isOurs && isReachable(pid) ? "yes" : "no";
}

/**
 * Nothing at all was started after the run's own process, the usual case, or little. Undefined: too much, or too long
 * ago.
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

/** The id given last, by the fifth field of /proc/loadavg; 0 when unknown. */
function newestPid(): number {
  return Number(readProc("/proc/loadavg")?.trim().split(" ")[4] ?? 0);
}

/** Zombies and threads of the kernel have none. */
function markOf(pid: number): number | undefined {
  const text = readProc(`/proc/${pid}/coredump_filter`);
  return text === undefined || text === "" ? undefined : Number.parseInt(text, 16);
}

interface Status {
  readonly isAlive: boolean;
  readonly group: number;
  /** In ticks since the system started. */
  readonly startedAt: number;
}

function statusOf(pid: number): Status {
  const line = readProc(`/proc/${pid}/stat`) ?? "";
  // The second field is the program's name in parentheses, and may hold anything.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const state = fields[0] ?? "";
  const isKernelThread = (Number(fields[6]) & KERNEL_THREAD_FLAG) !== 0;
  return {
    isAlive: line !== "" && state !== "Z" && state !== "X" && !isKernelThread,
    group: Number(fields[2]),
    startedAt: Number(fields[19]),
  };
}

/** Absent when the process is gone; `?` when it keeps this to itself, as ssh-agent does. */
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

/** As large as the system lets one be, and our own id is in it somewhere. */
const ENVIRONMENT_BYTES_MAX = 4 * 1024 * 1024;
// One for all, because these files are read often, and a new one each time is memory that the system does not get back.
const buffer = Buffer.allocUnsafeSlow(64 * 1024);

function isReachable(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
