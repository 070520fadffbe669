// Everything that one run has started, found and ended as a whole: the process group, and on Linux every process that carries
// the run's id in its environment, so that `setsid`, double forks and forgotten children are found too.
// A process that clears its environment and leaves the group as well is out of reach here; a PID namespace holds it (sandbox/).
import { Buffer } from "node:buffer";
import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import process from "node:process";
import type { Platform } from "../tool/command.ts";
import { codeOf } from "../tool/error-code.ts";
import { nowMs } from "./monotonic-clock.ts";

export interface ProcessTree {
  readonly platform: Platform;
  /** Of the process started, which leads its own group. */
  readonly pid: number;
  /** Unique: 32 hexadecimal digits. Inner runs of a nested dottool carry it too. */
  readonly runId: string;
  /** As `nowMs()`. */
  readonly startedAtMs: number;
}

const POLL_MS_MAX = 50;
const KILL_PASSES_MAX = 40;
/** Each takes 2 ms: dying takes a moment too. */
const INSTANT_PASSES_MAX = 50;
/** Process ids are given in turn. While a run is this young they have not come round, so its processes are younger ids than its own. */
const YOUNG_MS_MAX = 2_000;
/** Up to this many ids are looked at one by one; above, listing /proc is cheaper. */
const PROBES_MAX = 64;
const EXEC_MS = 2;
const KERNEL_THREAD_FLAG = 0x00200000;

/** TERM to all, and KILL to what is left after `graceMs`. Nothing is sent where nothing is left. */
export async function endTree(tree: ProcessTree, graceMs: number): Promise<void> {
  if (tree.platform === "windows") return endWindowsTree(tree);
  const deadlineMs = nowMs() + graceMs;
  let members = await livingMembers(tree);
  signalMembers(tree, members, "SIGTERM");
  for (let delayMs = 1; members.length > 0 && nowMs() < deadlineMs; delayMs = Math.min(delayMs * 2, POLL_MS_MAX)) {
    await delay(Math.min(delayMs, Math.max(1, deadlineMs - nowMs())));
    members = await livingMembers(tree);
  }
  // Again and again, because a process may fork between the look and the signal. Bounded, because one in the kernel's hands cannot be killed.
  for (let pass = 0; members.length > 0 && pass < KILL_PASSES_MAX; pass++) {
    signalMembers(tree, members, "SIGKILL");
    await delay(Math.min(pass + 1, POLL_MS_MAX));
    members = await livingMembers(tree);
  }
}

/** KILL to all, without a turn of the event loop: for the moment when the program itself ends. */
export function killTreeNow(tree: ProcessTree): void {
  if (tree.platform === "windows") {
    process.getBuiltinModule("node:child_process").spawnSync(taskkill(), [...taskkillWords(tree)], { windowsHide: true });
    return;
  }
  signal(-tree.pid, "SIGKILL");
  for (let pass = 0; pass < INSTANT_PASSES_MAX; pass++) {
    const { members, unsure } = look(tree, candidates(tree));
    if (members.length === 0 && (unsure.length === 0 || pass > 1)) return;
    signalMembers(tree, members, "SIGKILL");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EXEC_MS);
  }
}

/** Process ids, or the negative group id where single processes cannot be told. */
async function livingMembers(tree: ProcessTree): Promise<readonly number[]> {
  const { members, unsure } = look(tree, candidates(tree));
  if (unsure.length === 0 || members.length > 0) return members;
  await delay(EXEC_MS);
  return look(tree, unsure).members;
}

function signalMembers(tree: ProcessTree, members: readonly number[], name: NodeJS.Signals): void {
  if (members.length === 0) return;
  // The group first and at once, so that a parent in it cannot replace its children in between.
  signal(-tree.pid, name);
  for (const member of members) if (member !== -tree.pid) signal(member, name);
}

/** `undefined`: /proc tells nothing here. Empty: nothing at all was started after the run's own process, the usual case. */
function candidates(tree: ProcessTree): readonly number[] | undefined {
  if (tree.platform !== "linux") return undefined;
  if (nowMs() - tree.startedAtMs < YOUNG_MS_MAX) {
    const newest = newestPid();
    if (newest >= tree.pid && newest - tree.pid <= PROBES_MAX) return Array.from({ length: newest - tree.pid + 1 }, (_item, index) => tree.pid + index);
  }
  try {
    return readdirSync("/proc").map(Number).filter((pid) => pid > 1);
  } catch {
    return undefined;
  }
}

/** The id given last, by the fifth field of /proc/loadavg; 0 when unknown. */
function newestPid(): number {
  return Number(readProc("/proc/loadavg")?.trim().split(" ")[4] ?? 0);
}

interface Look {
  readonly members: readonly number[];
  /** Without an environment yet: about to become another program. */
  readonly unsure: readonly number[];
}

function look(tree: ProcessTree, pids: readonly number[] | undefined): Look {
  if (pids === undefined) return { members: signal(-tree.pid, 0) ? [-tree.pid] : [], unsure: [] };
  const members: number[] = [];
  const unsure: number[] = [];
  for (const pid of pids) {
    if (pid === process.pid) continue;
    const environment = readProc(`/proc/${pid}/environ`);
    if (environment === undefined) continue;
    if (environment.includes(tree.runId)) members.push(pid);
    else {
      const { isAlive, group } = statusOf(pid);
      if (isAlive && group === tree.pid) members.push(pid);
      else if (isAlive && environment === "") unsure.push(pid);
    }
  }
  return { members, unsure };
}

function statusOf(pid: number): { readonly isAlive: boolean; readonly group: number } {
  const line = readProc(`/proc/${pid}/stat`) ?? "";
  // The second field is the program's name in parentheses, and may hold anything.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const state = fields[0] ?? "";
  const isKernelThread = (Number(fields[6]) & KERNEL_THREAD_FLAG) !== 0;
  return { isAlive: line !== "" && state !== "Z" && state !== "X" && !isKernelThread, group: Number(fields[2]) };
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

/** Whether there was somebody to get it. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

async function endWindowsTree(tree: ProcessTree): Promise<void> {
  const { execFile } = await import("node:child_process");
  await new Promise<void>((resolve) => {
    execFile(taskkill(), [...taskkillWords(tree)], { windowsHide: true }, () => resolve());
  });
}

/** By its path, because Windows looks in the working folder first. */
function taskkill(): string {
  return `${process.env["SystemRoot"] ?? "C:\\Windows"}\\System32\\taskkill.exe`;
}

function taskkillWords(tree: ProcessTree): readonly string[] {
  return ["/T", "/F", "/PID", String(tree.pid)];
}

function delay(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}
