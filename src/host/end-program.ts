// Who may end the program: dottool itself, once all is written and its processes are gone. A plugin that calls
// `process.exit` would end everything else with it, without a word and often as if all were well; from it the call is
// an error like any other.
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

type Exit = (...code: readonly number[]) => never;

/** The code of the error, which may come from a timer and then names no plugin in its stack. */
const ENDED_BY_PLUGIN = "EPLUGINEND";
const STACK_FRAMES_MAX = 100;

let isOwnProgram = false;
let isGuarded = false;
let restore = (): void => undefined;

/** A server that meets more of them has lost its way. */
const OUTLIVED_MAX = 100;
let outlive: ((error: unknown) => void) | undefined;
let outlived = 0;

/**
 * From now on an error that nothing waited for is told to `tell` and ends nothing, up to 100 of them: a server has
 * other calls to answer.
 */
export function outliveErrors(tell: (error: unknown) => void): void {
  outlive = tell;
}

/** Whether the program goes on after `error`, which nothing waited for. */
export function isOutlived(error: unknown): boolean {
  if (outlive === undefined || outlived >= OUTLIVED_MAX) return false;
  outlived++;
  outlive(error);
  return true;
}

/** No other program has dottool inside it, so whoever ends it without `endProgram` is a plugin. */
export function claimProgram(): void {
  isOwnProgram = true;
}

/** Without a code: that of `process.exitCode`, which Node would drop for `exit(undefined)`. */
export function endProgram(...code: readonly [] | readonly [code: number]): never {
  restore();
  return process.exit(...code);
}

/** After a signal or a time limit nobody waits longer for a reader; what it has not taken by then is lost. */
const DRAIN_MS_MAX = 2_000;
let isDrainingLimited = false;

/** From when the work is done, what was printed has 2 s to be read. */
export function limitDraining(): void {
  isDrainingLimited = true;
}

/**
 * Once nothing is left to wait for: the program would end by itself, but behind turns of the event loop and a garbage
 * collection that nobody needs, 1 ms and more. What is still being written counts as something to wait for. Deno does
 * not tell.
 */
export function endProgramWhenIdle(): void {
  if (isDrainingLimited) setTimeout(() => endProgram(), DRAIN_MS_MAX).unref();
  if ("Deno" in globalThis) return;
  process.once("beforeExit", endAtRest);
  // Behind everything that has been promised by now.
  process.nextTick(() => {
    if (process.getActiveResourcesInfo().length === 0) endAtRest();
  });
}

function endAtRest(): void {
  const end = (): never => endProgram();
  void threadsAtRest().then(end, end);
}

/**
 * What other threads have computed in a program so short that V8 makes no function faster: 3 ms in a call of `glob`, 17
 * to 21 in the lists that hung.
 */
const SHORT_OTHERS_MS = 7;
const QUIET_MS = 3;
const QUIET_CPU_MS = 0.1;
const WAIT_MS_MAX = 2_000;

/**
 * When no other thread computes any more. `process.exit` waits for the threads in which V8 makes functions faster; one
 * of them that needs memory waits for a garbage collection, which only this thread can do, and the program hangs for
 * ever (https://github.com/nodejs/node/issues/54918; 3 of 400 lists of a thousand tools). In the event loop it can. On
 * a machine with more to do than processors, a thread has computed little because it waits for one: whether it is about
 * to run says Linux.
 */
export async function threadsAtRest(): Promise<void> {
  // Deno waits for none of its threads.
  if ("Deno" in globalThis) return;
  if (typeof process.threadCpuUsage !== "function" || (otherThreadsMs() < SHORT_OTHERS_MS && !hasRunningThread()))
    return;
  let before = otherThreadsMs();
  for (let quietMs = 0, waitedMs = 0; quietMs < QUIET_MS && waitedMs < WAIT_MS_MAX; waitedMs++) {
    await new Promise((resolve) => void setTimeout(resolve, 1));
    const now = otherThreadsMs();
    quietMs = now - before < QUIET_CPU_MS && !hasRunningThread() ? quietMs + 1 : 0;
    before = now;
  }
}

const THREADS_FOLDER = "/proc/self/task";

/**
 * Whether a thread beside this one runs, waits for a processor or for memory that is read from the disk. Only Linux
 * tells.
 */
function hasRunningThread(): boolean {
  if (process.platform !== "linux") return false;
  try {
    return readdirSync(THREADS_FOLDER).some(
      (id) =>
        id !== String(process.pid) && /^\d+ \(.*\) [RD]/s.test(readFileSync(`${THREADS_FOLDER}/${id}/stat`, "latin1")),
    );
  } catch {
    // A thread that has ended meanwhile, or no /proc.
    return false;
  }
}

function otherThreadsMs(): number {
  return msOf(process.cpuUsage()) - msOf(process.threadCpuUsage());
}

function msOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

/**
 * `isStranger`: whether a call with this stack comes from a plugin. Asked only where dottool is a part of another
 * program, which may end itself.
 */
export function guardEnding(isStranger: (stack: string) => boolean): void {
  if (isGuarded) return;
  isGuarded = true;
  // What `process.exit` calls in the end; a few packages call it themselves, and Deno's named export reaches only this
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
        throw Object.assign(new Error(`it tried to end the program with \`${shown}\`; a tool returns, or throws`), {
          code: ENDED_BY_PLUGIN,
        });
      restore();
      return Reflect.apply(originals[index] as Exit, owner, code) as never;
    });
  });
  // So that `import { exit } from "node:process"` gives the same.
  process.getBuiltinModule("node:module").syncBuiltinESMExports();
}

function callStack(): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = STACK_FRAMES_MAX;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = limit;
  return stack;
}
