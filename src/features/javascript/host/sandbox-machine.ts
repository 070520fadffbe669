// One fresh QuickJS machine for one run. Whatever the program does, the run ends with exactly one `MachineEnd`, and the
// machine is discarded.
import process from "node:process";
import { type Deferred, EvalFlags, JSException, type JSValueHandle, QuickJS } from "quickjs-wasi";
import type { SandboxEnd, SandboxLimits, SandboxRun } from "../../../core/tool/host-sandbox.ts";
import { threadMs } from "../../../core/host/processor-time.ts";

/** A compiled WebAssembly module; TypeScript knows it in browsers only. */
export type WasmModule = object;

export type MachineOrder = Pick<SandboxRun, "driver" | "program" | "input" | "limits" | "isOnlyRead">;

export type MachineEnd = Without<SandboxEnd, "log"> & {
  readonly kind: "answered" | "syntax" | "unsettled" | "limit" | "overflow" | "crashed";
};
type Without<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;

interface MachineOutside {
  /** Reports that the program starts now. */
  ready(): void;
  log(line: string): void;
  call(callId: number, name: string, text: string): void;
  /** Reports that the program waits for a call to settle. */
  wait(): void;
  end(end: MachineEnd): void;
}

/**
 * The limit of the stack within WebAssembly's own, which has 1 MiB. The thread's stack is large enough for it, so that
 * too deep a recursion is an error which the program can catch: 2,100 calls of a function, and a quarter of that in
 * Deno, whose threads all have the same stack.
 */
const STACK_BYTES_MAX = ("deno" in process.versions ? 128 : 512) * 1024;
/** The file name in stack traces: see features/javascript/sandbox-failure.ts. */
const PROGRAM_FILE = "code";

const MESSAGE_CHARACTERS_MAX = 4_000;
const JOBS_UNTIMED_MAX = 1_000;
/** The value of `promiseState` for a rejected promise. */
const REJECTED = 2;

type OverLimit = (MachineEnd & { kind: "limit" })["limit"];

export class Machine {
  readonly #outside: MachineOutside;
  readonly #limits: SandboxLimits;
  readonly #calls = new Map<number, Deferred>();
  #vm!: QuickJS;
  #answer: JSValueHandle | undefined;
  #callsMade = 0;
  #loggedCharacters = 0;
  #usedMs = 0;
  #sliceStartMs = 0;
  /** The exceeded limit. Once set it stays: the machine is interrupted until nothing of the program runs. */
  #over: OverLimit | undefined;
  #isOver = false;

  constructor(limits: SandboxLimits, outside: MachineOutside) {
    this.#limits = limits;
    this.#outside = outside;
  }

  /** Runs the program. It reports through `outside`, and never throws. */
  async run(wasm: WasmModule, order: MachineOrder): Promise<void> {
    try {
      this.#vm = await QuickJS.create({
        wasm,
        wasi: () => ({ fd_write: writeNowhere }),
        memoryLimit: this.#limits.memoryBytesMax,
        maxStackSize: STACK_BYTES_MAX,
        timezoneOffset: 0,
        interruptHandler: () => this.#isInterrupted(),
      });
    } catch (error) {
      return this.#end(this.#endFor(error));
    }
    this.#outside.ready();
    this.#slice(() => (order.isOnlyRead ? this.#read(order.program) : this.#start(order)));
  }

  settle(callId: number, { isOk, text }: { readonly isOk: boolean; readonly text: string }): void {
    const call = this.#calls.get(callId);
    if (!call || this.#isOver) return;
    this.#calls.delete(callId);
    this.#slice(() => {
      if (isOk) call.resolve(this.#string(text));
      else call.reject(this.#vm.newError(text.slice(0, MESSAGE_CHARACTERS_MAX)));
    });
  }

  #read(program: string): void {
    if (this.#compile(program, EvalFlags.COMPILE_ONLY)) this.#end({ kind: "answered", mark: "", text: "" });
  }

  #start({ driver, program, input }: MachineOrder): void {
    const vm = this.#vm;
    const log = this.#function("log", (line) => {
      this.#log(textOf(line));
      return vm.undefined;
    });
    const call = this.#function("call", (name, text) => this.#call(this.#bounded(name), this.#bounded(text)));
    const done = this.#function("done", (mark, text) => {
      this.#end({ kind: "answered", mark: this.#bounded(mark), text: this.#bounded(text) });
      return vm.undefined;
    });
    const run = vm.callFunction(vm.evalCode(driver, "driver"), vm.undefined, log, call, done);
    const made = this.#compile(program);
    if (made) this.#answer = vm.callFunction(run, vm.undefined, made, this.#string(input));
  }

  /** Passes on errors as text: the package would pass on the stack of an error, with paths of this computer. */
  #function(name: string, work: (...words: JSValueHandle[]) => JSValueHandle): JSValueHandle {
    return this.#vm.newFunction(name, (...words) => {
      try {
        return work(...words);
      } catch (error) {
        throw error instanceof Error ? error.message : String(error);
      }
    });
  }

  #compile(program: string, flags?: number): JSValueHandle | undefined {
    try {
      return this.#vm.evalCode(program, PROGRAM_FILE, flags);
    } catch (error) {
      // A program that breaks out of its expression may throw anything, which counts as a syntax error.
      if (!(error instanceof JSException) || this.#over !== undefined || isOutOfMemory(error)) throw error;
      const [, line, column] = /\bcode:(\d+):(\d+)/.exec(error.stack ?? "") ?? [];
      this.#end({
        kind: "syntax",
        message: error.message.slice(0, MESSAGE_CHARACTERS_MAX),
        line: Number(line ?? 1),
        column: Number(column ?? 1),
      });
      return undefined;
    }
  }

  /** Logs a line. One character above the limit is passed on, to show that more was logged. */
  #log(line: string): void {
    const room = this.#limits.logCharactersMax - this.#loggedCharacters;
    if (room < 0) return;
    this.#loggedCharacters += line.length + 1;
    this.#outside.log(line.slice(0, room + 1));
  }

  #call(name: string, text: string): JSValueHandle {
    if (this.#callsMade >= this.#limits.hostCallsMax) this.#stopAt("hostCallsMax");
    const callId = ++this.#callsMade;
    const call = this.#vm.newPromise();
    this.#calls.set(callId, call);
    this.#outside.call(callId, name, text);
    return call.handle;
  }

  #bounded(handle: JSValueHandle | undefined): string {
    const { resultBytesMax } = this.#limits;
    if (!handle || handle.length > resultBytesMax) return this.#stopAt("resultBytesMax");
    const text = textOf(handle);
    // The package returns this if the machine has no memory for the text.
    if (text === "<null>") return this.#stopAt("memoryBytesMax");
    return Buffer.byteLength(text) > resultBytesMax ? this.#stopAt("resultBytesMax") : text;
  }

  /** Throws into the program, which may catch it, but is interrupted from here on. */
  #stopAt(limit: OverLimit): never {
    this.#over ??= limit;
    throw new Error("the run is over");
  }

  /** Lets the program compute until it waits for a call, or is done. */
  #slice(work: () => void): void {
    this.#sliceStartMs = threadMs();
    try {
      work();
      this.#runJobs();
      if (this.#over !== undefined) this.#end({ kind: "limit", limit: this.#over });
      else if (!this.#isOver) this.#waitOrEnd();
    } catch (error) {
      this.#end(this.#endFor(error));
    }
    this.#usedMs += threadMs() - this.#sliceStartMs;
  }

  #runJobs(): void {
    const { qjs_is_job_pending: isJobPending, qjs_execute_pending_job: executeJob } = this.#vm._getExports();
    // Endless short jobs never compute long enough to be interrupted, so the clock is checked between them too.
    for (let jobs = 1; !this.#isOver && this.#over === undefined && isJobPending() !== 0; jobs++) {
      if (executeJob() < 0) this.#vm.getException().dispose();
      if (jobs % JOBS_UNTIMED_MAX === 0) this.#isInterrupted();
    }
  }

  #waitOrEnd(): void {
    // The driver catches everything except a lack of memory for its message, and promises that the program has changed.
    if (this.#answer?.promiseState === REJECTED && this.#isFull())
      this.#end({ kind: "limit", limit: "memoryBytesMax" });
    else if (this.#answer?.promiseState === REJECTED) this.#end({ kind: "unsettled" });
    else if (this.#calls.size === 0) this.#end({ kind: "unsettled" });
    else this.#outside.wait();
  }

  #isFull(): boolean {
    return this.#vm.getMemoryUsage().mallocSize > this.#limits.memoryBytesMax / 2;
  }

  /** Creates a text; without memory for it, the result would be a hidden exception. */
  #string(text: string): JSValueHandle {
    const handle = this.#vm.newString(text);
    return handle.isString ? handle : this.#stopAt("memoryBytesMax");
  }

  #isInterrupted(): boolean {
    if (this.#usedMs + threadMs() - this.#sliceStartMs > this.#limits.cpuMsMax) this.#over ??= "cpuMsMax";
    return this.#over !== undefined;
  }

  #endFor(error: unknown): MachineEnd {
    if (this.#over !== undefined) return { kind: "limit", limit: this.#over };
    if (isOutOfMemory(error)) return { kind: "limit", limit: "memoryBytesMax" };
    if (error instanceof RangeError) return { kind: "overflow" };
    return { kind: "crashed", error: error instanceof Error ? error : new Error(String(error)) };
  }

  #end(end: MachineEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#outside.end(end);
  }
}

function textOf(handle: JSValueHandle | undefined): string {
  return handle?.toString() ?? "";
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof JSException && error.name === "InternalError" && error.message === "out of memory";
}

/** Rejects the machine's own output, which is only about itself, with EBADF. */
function writeNowhere(): number {
  return 8;
}
