// The sandbox of JavaScript: warm threads, a queue before them, and the compiler that takes TypeScript's types out.
import type { ErasedTypes, HostSandbox, SandboxEnd, SandboxRun } from "../tool/host-sandbox.ts";
import { loadSandboxParts, type SandboxParts } from "./sandbox-parts.ts";
import { SandboxThread } from "./sandbox-thread.ts";
import { eraseTypes } from "./transform-typescript.ts";

const RUNS_AT_ONCE_MAX = 8;
const WAITING_MAX = 1_000;
/** Kept for the next run; a thread takes 30 ms to start and some 10 MiB. */
const IDLE_MAX = 4;

export function createSandbox(cacheFolder: string): HostSandbox {
  const threads = new SandboxThreads();
  return {
    run: (run) => threads.run(run),
    eraseTypes: async (code): Promise<ErasedTypes> => eraseTypes(code, cacheFolder),
  };
}

class SandboxThreads {
  readonly #idle: SandboxThread[] = [];
  readonly #waiting = new Set<() => void>();
  #parts: SandboxParts | undefined;
  #running = 0;

  async run(run: SandboxRun): Promise<SandboxEnd> {
    if (this.#waiting.size >= WAITING_MAX) return { kind: "busy", waiting: this.#waiting.size, log: "" };
    if (!(await this.#enter(run.signal))) return { kind: "cancelled", log: "" };
    try {
      const thread = this.#take();
      const end = await thread.run(run);
      this.#giveBack(thread);
      return end;
    } finally {
      this.#leave();
    }
  }

  /** False: the signal aborted first. */
  async #enter(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#running >= RUNS_AT_ONCE_MAX) return this.#turn(signal);
    this.#running++;
    return true;
  }

  #turn(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const enter = (): void => leave(true);
      const abort = (): void => leave(false);
      const leave = (hasTurn: boolean): void => {
        this.#waiting.delete(enter);
        signal.removeEventListener("abort", abort);
        resolve(hasTurn);
      };
      this.#waiting.add(enter);
      signal.addEventListener("abort", abort);
    });
  }

  /** Who waits longest takes the place over, so nobody slips in between. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next) next();
    else this.#running--;
  }

  #take(): SandboxThread {
    for (let thread = this.#idle.pop(); thread; thread = this.#idle.pop()) if (thread.isAlive) return thread;
    return new SandboxThread((this.#parts ??= loadSandboxParts()));
  }

  #giveBack(thread: SandboxThread): void {
    if (!thread.isAlive) return;
    if (this.#idle.length < IDLE_MAX) this.#idle.push(thread);
    else thread.end();
  }
}
