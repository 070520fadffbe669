// Only dottool itself may end the program, once everything is written and its processes are gone. A plugin that calls
// `process.exit` would end everything else silently, and often with exit code 0; its call is an error like any other.
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { msOf } from "../processor-time.ts";

type Exit = (...code: readonly number[]) => never;

/** The code of the error, which may come from a timer and then names no plugin in its stack. */
const ENDED_BY_PLUGIN = "EPLUGINEND";
const STACK_FRAMES_MAX = 100;

let isOwnProgram = false;
let isGuarded = false;
let restore = (): void => undefined;

/** The limit of such errors; a server with more of them is broken. */
const OUTLIVED_MAX = 100;
let outlive: ((error: unknown) => void) | undefined;
let outlived = 0;

/** Reports uncaught errors to `tell` from now on instead of ending, up to 100: a server has other calls to answer. */
export function outliveErrors(tell: (error: unknown) => void): void {
  outlive = tell;
}

/** Returns whether the program continues after `error`, which nothing caught. */
export function isOutlived(error: unknown): boolean {
  if (outlive === undefined || outlived >= OUTLIVED_MAX) return false;
  outlived++;
  outlive(error);
  return true;
}

/** Makes any other end of the program an error: only a plugin would end it without `endProgram`. */
export function claimProgram(): void {
  isOwnProgram = true;
}

/** Ends the program. Without a code it uses `process.exitCode`, which Node would ignore for `exit(undefined)`. */
export function endProgram(...code: readonly [] | readonly [code: number]): never {
  restore();
  return process.exit(...code);
}

/** The time that the program waits for a reader after a signal or a time limit. Unread output is lost then. */
const DRAIN_MS_MAX = 2_000;
let isDrainingLimited = false;

/** Limits the wait for readers: printed output has 2 s to be read once the work is done. */
export function limitDraining(): void {
  isDrainingLimited = true;
}

/** Called when the work is done. */
export function endWhenDrainingLasts(): void {
  if (isDrainingLimited) setTimeout(() => endProgram(), DRAIN_MS_MAX).unref();
}

/**
 * Ends the program when nothing is left to wait for. It would end by itself, but only after turns of the event loop and
 * a useless garbage collection of 1 ms and more. Unfinished writes are waited for. Deno does not show what is open.
 */
export function endProgramWhenIdle(): void {
  endWhenDrainingLasts();
  if ("Deno" in globalThis) return;
  process.once("beforeExit", endAtRest);
  // After all promises that are settled by now.
  process.nextTick(() => {
    if (process.getActiveResourcesInfo().length === 0) endAtRest();
  });
}

function endAtRest(): void {
  const end = (): never => endProgram();
  void threadsAtRest().then(end, end);
}

/**
 * The processor time of other threads below which V8 has not started to optimize: 3 ms in a call of `glob`, 17 to 21 ms
 * in the lists that hung.
 */
const SHORT_OTHERS_MS = 7;

/** Resolves when no other thread computes any more. */
export async function threadsAtRest(): Promise<void> {
  // Deno does not wait for its threads.
  if ("Deno" in globalThis || typeof process.threadCpuUsage !== "function") return;
  if (!isOtherRunning() && otherThreadsMs() < SHORT_OTHERS_MS) return;
  await waitForThreads(otherThreads);
}

/** Behind the name in `stat`: it runs or is about to, or waits for memory from the disk (proc(5)). */
const RUNNING = ["R", "D"];
const THREADS_FOLDER = "/proc/self/task";

/**
 * On Linux from the counters of each thread (proc(5)): the difference of two `getrusage` is wrong by tenths of a ms.
 */
function otherThreads(): OtherThreads {
  try {
    return {
      computedMs: counters("schedstat").reduce((sum, text) => sum + Number.parseInt(text, 10), 0) / 1e6,
      isRunning: isOtherRunning(),
    };
  } catch {
    // A thread that has ended meanwhile, or a system without these files.
    return { computedMs: otherThreadsMs(), isRunning: false };
  }
}

function isOtherRunning(): boolean {
  try {
    return counters("stat").some((text) => RUNNING.includes(text[text.lastIndexOf(")") + 2] ?? ""));
  } catch {
    return false;
  }
}

function counters(name: string): readonly string[] {
  const own = String(process.pid);
  const others = readdirSync(THREADS_FOLDER).filter((id) => id !== own);
  return others.map((id) => readFileSync(`${THREADS_FOLDER}/${id}/${name}`, "latin1"));
}

function otherThreadsMs(): number {
  return msOf(process.cpuUsage()) - msOf(process.threadCpuUsage());
}

/**
 * `isStranger`: returns whether a call with this stack comes from a plugin. It is called only if dottool is a part of
 * another program, which may end itself.
 */
export function guardEnding(isStranger: (stack: string) => boolean): void {
  if (isGuarded) return;
  isGuarded = true;
  // `process.exit` ends with a call of this; a few packages call it directly, and Deno's named export reaches only this
  // one.
  const owners: readonly (readonly [owner: object, name: string, shown: string])[] = [
    [process, "exit", "process.exit"],
    [process, "reallyExit", "process.exit"],
    ...("Deno" in globalThis ? ([[Reflect.get(globalThis, "Deno") as object, "exit", "Deno.exit"]] as const) : []),
  ];
  const originals = owners.map(([owner, name]) => Reflect.get(owner, name) as Exit);
  restore = (): void => owners.forEach(([owner, name], index) => void Reflect.set(owner, name, originals[index]));
  owners.forEach(([owner, name, shown], index) => {
    Reflect.set(owner, name, (...code: readonly number[]): never => {
      if (isOwnProgram || isStranger(callStack()))
        throw Object.assign(new Error(`it tried to end the program with \`${shown}\`; a tool must return or throw`), {
          code: ENDED_BY_PLUGIN,
        });
      restore();
      return Reflect.apply(originals[index] as Exit, owner, code) as never;
    });
  });
  // So that `import { exit } from "node:process"` is the same function.
  process.getBuiltinModule("node:module").syncBuiltinESMExports();
}

function callStack(): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = STACK_FRAMES_MAX;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = limit;
  return stack;
}

interface OtherThreads {
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
async function waitForThreads(look: () => OtherThreads): Promise<void> {
  let before = look();
  for (let quietMs = 0, waitedMs = 0; quietMs < QUIET_MS && waitedMs < WAIT_MS_MAX; waitedMs++) {
    await new Promise((resolve) => void setTimeout(resolve, 1));
    const now = look();
    quietMs = now.computedMs - before.computedMs < QUIET_CPU_MS && !now.isRunning ? quietMs + 1 : 0;
    before = now;
  }
}
