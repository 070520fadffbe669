// The sandbox of JavaScript: warm threads, their queue, and the compiler that erases TypeScript's types.
import type { HostSandbox, SandboxEnd, SandboxRun } from "../../../core/tool/host-sandbox.ts";
import { type SandboxParts, loadSandboxParts } from "./sandbox-parts.ts";
import { SandboxThread } from "./sandbox-thread.ts";
import { TypeEraser } from "./typescript-thread.ts";
import { Turns } from "../../../core/tool/turns.ts";

const RUNS_AT_ONCE_MAX = 8;
/** Further places for clients that have none of the others. */
const BESIDE_MAX = 8;
const WAITING_MAX = 1_000;
const IDLE_MAX = 2;
/**
 * Idle threads for the next run of any session of this process; a thread takes 30 ms to start and some 25 MiB. They
 * hold nothing of the runs before, and a program that opens many sessions does not collect threads.
 */
const idle: SandboxThread[] = [];
let parts: SandboxParts | undefined;

export function createSandbox(cacheFolder: string): HostSandbox {
  const threads = new SandboxThreads();
  const eraser = new TypeEraser(cacheFolder);
  return {
    run: (run) => threads.run(run),
    eraseTypes: (code, signal) => eraser.erase(code, signal),
  };
}

class SandboxThreads {
  /** The turns by depth: a run that waits for a deeper one must not block it. */
  readonly #turns = new Map<number, Turns>();

  async run(run: SandboxRun): Promise<SandboxEnd> {
    const turns = this.#turnsAt(run.depth);
    if (turns.waiting >= WAITING_MAX) return { kind: "busy", waiting: turns.waiting, log: "" };
    if (!(await turns.enter(run.signal, run.client))) return { kind: "cancelled", log: "" };
    try {
      const thread = takeThread();
      const end = await thread.run(run);
      giveBack(thread);
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
}

function takeThread(): SandboxThread {
  for (let thread = idle.pop(); thread; thread = idle.pop()) if (thread.isAlive) return thread;
  return new SandboxThread((parts ??= loadSandboxParts()));
}

function giveBack(thread: SandboxThread): void {
  if (!thread.isAlive) return;
  if (idle.length < IDLE_MAX) idle.push(thread);
  else thread.end();
}
