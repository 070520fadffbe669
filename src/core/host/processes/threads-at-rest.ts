// Waits at the end of the program for the threads in which V8 optimizes functions.

export interface OtherThreads {
  readonly computedMs: number;
  /** One of them runs, or waits for a processor or for memory from the disk. Only Linux shows this. */
  readonly isRunning: boolean;
}

const QUIET_MS = 3;
const QUIET_CPU_MS = 0.1;
const WAIT_MS_MAX = 2_000;

/**
 * Resolves when no other thread computes any more. `process.exit` waits for the threads in which V8 optimizes
 * functions; if one of them needs memory, it waits for a garbage collection, which only this thread can do, and the
 * program hangs forever (https://github.com/nodejs/node/issues/54918; 3 of 400 lists of a thousand tools). In the event
 * loop this thread can do it. On a busy machine a thread may have computed little because it waits for a processor;
 * Linux shows whether it is about to run.
 */
export async function waitForThreads(look: () => OtherThreads): Promise<void> {
  let before = look();
  for (let quietMs = 0, waitedMs = 0; quietMs < QUIET_MS && waitedMs < WAIT_MS_MAX; waitedMs++) {
    await new Promise((resolve) => void setTimeout(resolve, 1));
    const now = look();
    quietMs = now.computedMs - before.computedMs < QUIET_CPU_MS && !now.isRunning ? quietMs + 1 : 0;
    before = now;
  }
}
