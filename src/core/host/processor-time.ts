// Limits of work that may loop. They count the processor time of its thread, because a busy machine must not change a
// result. Behind each is a limit of time that only a machine at a standstill reaches.
import process from "node:process";
import type { Worker } from "node:worker_threads";
import { nowMs } from "./monotonic-clock.ts";

/** The wall limit behind a limit of processor time. */
export const wallMsBehind = (cpuMsMax: number): number => 60_000 + 20 * cpuMsMax;

/**
 * Returns the processor time of this thread. Node before 23.9 only has that of the process, of which it is a part.
 */
export function threadMs(): number {
  return msOf(process.threadCpuUsage?.() ?? process.cpuUsage());
}

export function msOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

const LOOK_MS = 100;

/**
 * Calls `onOver` once `worker` has computed for `cpuMsMax` from now, and at most 100 ms, or after `wallMsBehind`. Returns
 * what ends the limit.
 */
export function limitThread(worker: Worker, cpuMsMax: number, onOver: () => void): () => void {
  const endMs = nowMs() + wallMsBehind(cpuMsMax);
  const begin = { thread: undefined as number | undefined, process: msOf(process.cpuUsage()) };
  let usedMs = 0;
  let isAnswered = true;
  const timer = setInterval(() => {
    // Within a built-in function a thread does not answer, nor in Node before 24.6: then all threads count.
    const knownMs = isAnswered ? usedMs : Math.max(usedMs, msOf(process.cpuUsage()) - begin.process);
    if (knownMs >= cpuMsMax || nowMs() >= endMs) {
      clearInterval(timer);
      return onOver();
    }
    isAnswered = false;
    void usageOf(worker)?.then(
      (ms) => {
        isAnswered = true;
        begin.thread ??= ms;
        usedMs = ms - begin.thread;
      },
      // It has ended, which it tells itself.
      () => undefined,
    );
  }, LOOK_MS);
  return () => clearInterval(timer);
}

function usageOf(worker: Partial<Pick<Worker, "cpuUsage">>): Promise<number> | undefined {
  return worker.cpuUsage?.().then(msOf);
}
