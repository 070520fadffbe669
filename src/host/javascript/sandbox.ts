// The sandbox of JavaScript: warm threads, their queue, and the compiler that erases TypeScript's types.
import type { HostSandbox, SandboxEnd, SandboxRun } from "../../tool/host-sandbox.ts";
import { loadSandboxParts, type SandboxParts } from "./sandbox-parts.ts";
import { SandboxThread } from "./sandbox-thread.ts";
import { TypeEraser } from "./erase-types.ts";
import { Turns } from "../../tool/turns.ts";

const RUNS_AT_ONCE_MAX = 8;
/** Further places for clients that have none of the others. */
const BESIDE_MAX = 8;
const WAITING_MAX = 1_000;
/** Idle threads for the next run; a thread takes 30 ms to start and some 25 MiB. */
const IDLE_MAX = 2;

export function createSandbox(cacheFolder: string): HostSandbox {
  const threads = new SandboxThreads();
  const eraser = new TypeEraser(cacheFolder);
  return {
    run: (run) => threads.run(run),
    eraseTypes: (code, signal) => eraser.erase(code, signal),
  };
}

class SandboxThreads {
  readonly #idle: SandboxThread[] = [];
  /** The turns by depth: a run that waits for a deeper one must not block it. */
  readonly #turns = new Map<number, Turns>();
  #parts: SandboxParts | undefined;

  async run(run: SandboxRun): Promise<SandboxEnd> {
    const turns = this.#turnsAt(run.depth);
    if (turns.waiting >= WAITING_MAX) return { kind: "busy", waiting: turns.waiting, log: "" };
    if (!(await turns.enter(run.signal, run.client))) return { kind: "cancelled", log: "" };
    try {
      const thread = this.#take();
      const end = await thread.run(run);
      this.#giveBack(thread);
      return end;
    } finally {
      turns.leave(run.client);
    }
  }

  #turnsAt(depth: number): Turns {
    const turns = this.#turns.get(depth) ?? new Turns(RUNS_AT_ONCE_MAX, BESIDE_MAX);
    this.#turns.set(depth, turns);
    return turns;
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
