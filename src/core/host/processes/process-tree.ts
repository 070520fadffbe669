// Ends everything that one run has started, and stops it while the program itself is stopped.
import process from "node:process";
import { nowMs } from "../monotonic-clock.ts";
import { type Members, membersOf, type ProcessTree } from "./process-members.ts";

const POLL_MS_MAX = 50;
const KILL_PASSES_MAX = 40;
/** The limit of passes; each takes 2 ms, because a process needs a moment to die. */
const INSTANT_PASSES_MAX = 50;
const EXEC_MS = 2;

/** Sends TERM to all, and KILL to what is left after `graceMs`. Sends nothing if nothing is left. */
export async function endTree(tree: ProcessTree, graceMs: number): Promise<void> {
  if (tree.platform === "windows") return endWindowsTree(tree);
  const deadlineMs = nowMs() + graceMs;
  let members = await livingMembers(tree);
  if (members.length === 0) return;
  signalMembers(tree, members, "SIGTERM");
  for (let delayMs = 1; members.length > 0 && nowMs() < deadlineMs; delayMs = Math.min(delayMs * 2, POLL_MS_MAX)) {
    await delay(Math.min(delayMs, Math.max(1, deadlineMs - nowMs())));
    members = await livingMembers(tree);
  }
  // Repeated, because a process may fork between the search and the signal. Limited, because a process that is blocked
  // in the kernel cannot be killed.
  for (let pass = 1; pass <= KILL_PASSES_MAX && killMembers(tree).pids.length > 0; pass++)
    await delay(Math.min(pass, POLL_MS_MAX));
}

/** Sends KILL to all without a turn of the event loop, for the moment when the program itself ends. */
export function killTreeNow(tree: ProcessTree): void {
  if (tree.platform === "windows") {
    process
      .getBuiltinModule("node:child_process")
      .spawnSync(taskkill(), [...taskkillWords(tree)], { windowsHide: true });
    return;
  }
  for (let pass = 0; pass < INSTANT_PASSES_MAX; pass++) {
    const { pids, isUnsure } = killMembers(tree);
    if (pids.length === 0 && (!isUnsure || pass > 1)) return;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EXEC_MS);
  }
}

/** Stops the processes until `continueTree`. Not with TSTP: the system drops it for sessions without a terminal. */
export function stopTree(tree: ProcessTree): void {
  if (tree.platform !== "windows")
    signalMembers(tree, membersOf(tree, (pid) => void signal(pid, "SIGSTOP")).pids, "SIGSTOP");
}

export function continueTree(tree: ProcessTree): void {
  if (tree.platform !== "windows") signalMembers(tree, membersOf(tree, () => undefined).pids, "SIGCONT");
}

async function livingMembers(tree: ProcessTree): Promise<readonly number[]> {
  const { pids, isUnsure } = membersOf(tree);
  if (!isUnsure) return pids;
  await delay(EXEC_MS);
  return membersOf(tree).pids;
}

/** Kills the processes and returns those that it found. */
function killMembers(tree: ProcessTree): Members {
  // The group first and at once, so that a parent in it cannot replace its children in between.
  signal(-tree.pid, "SIGKILL");
  return membersOf(tree, (pid) => void signal(pid, "SIGKILL"));
}

function signalMembers(tree: ProcessTree, members: readonly number[], name: NodeJS.Signals): void {
  if (members.length === 0) return;
  // A sandbox that got TERM would kill what is in it before that could end by itself.
  const isSpared = tree.isContained === true && name === "SIGTERM";
  if (!isSpared) signal(-tree.pid, name);
  for (const member of members) if (member !== -tree.pid && !(isSpared && member === tree.pid)) signal(member, name);
}

/** Sends a signal; the process may be gone. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    return;
  }
}

async function endWindowsTree(tree: ProcessTree): Promise<void> {
  const { execFile } = await import("node:child_process");
  await new Promise<void>((resolve) => {
    execFile(taskkill(), [...taskkillWords(tree)], { windowsHide: true }, () => resolve());
  });
}

/** Returns its full path, because Windows searches the working folder first. */
function taskkill(): string {
  return `${process.env["SystemRoot"] ?? "C:\\Windows"}\\System32\\taskkill.exe`;
}

function taskkillWords(tree: ProcessTree): readonly string[] {
  return ["/T", "/F", "/PID", String(tree.pid)];
}

function delay(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}
