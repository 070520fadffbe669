// One fresh QuickJS machine and the one run it is made for. Whatever the program does, the run ends in exactly one
// `MachineEnd`, and the machine is thrown away with it.
import process from "node:process";
import { type Deferred, EvalFlags, JSException, type JSValueHandle, QuickJS } from "quickjs-wasi";
import type { SandboxEnd, SandboxLimits, SandboxRun } from "../tool/host-sandbox.ts";

/** A compiled WebAssembly module; TypeScript knows it in browsers only. */
export type WasmModule = object;

export type MachineOrder = Pick<SandboxRun, "driver" | "program" | "input" | "limits" | "isOnlyRead">;

export type MachineEnd = Without<SandboxEnd, "log"> & {
  readonly kind: "answered" | "syntax" | "unsettled" | "limit" | "overflow" | "crashed";
};
type Without<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;

export interface MachineOutside {
  log(line: string): void;
  call(callId: number, name: string, text: string): void;
  /** It computes no more until a call is settled. */
  wait(): void;
  end(end: MachineEnd): void;
}

/**
 * Of WebAssembly's own stack, which has 1 MiB. Little enough for the thread's stack to carry it, so that too deep a
 * recursion is an error which the program can catch: 2,100 calls of a function, and a quarter of that in Deno, whose
 * threads all have the same stack.
 */
const STACK_BYTES_MAX = ("deno" in process.versions ? 128 : 512) * 1024;
/** The file name in stack traces: see sandbox/sandbox-failure.ts. */
const PROGRAM_FILE = "code";

const MESSAGE_CHARACTERS_MAX = 4_000;
const JOBS_UNTIMED_MAX = 1_000;
/** Of a promise, in `promiseState`. */
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
  /** Once set it stays: the machine is interrupted again and again until nothing of the program runs. */
  #over: OverLimit | undefined;
  #isOver = false;

  constructor(limits: SandboxLimits, outside: MachineOutside) {
    this.#limits = limits;
    this.#outside = outside;
  }

  /** Reports through `outside`, and never throws. */
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
    this.#slice(() => (order.isOnlyRead ? this.#read(order.program) : this.#start(order)));
  }

  /** Settles a call that the program made. */
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
    const log = this.#function("log", (line) => (this.#log(textOf(line)), vm.undefined));
    const call = this.#function("call", (name, text) => this.#call(this.#bounded(name), this.#bounded(text)));
    const done = this.#function("done", (mark, text) => {
      this.#end({ kind: "answered", mark: this.#bounded(mark), text: this.#bounded(text) });
      return vm.undefined;
    });
    const run = vm.callFunction(vm.evalCode(driver, "driver"), vm.undefined, log, call, done);
    const made = this.#compile(program);
    if (made) this.#answer = vm.callFunction(run, vm.undefined, made, this.#string(input));
  }

  /**
   * What it throws arrives as a text: the package would hand over the stack of an error, with paths of this computer.
   */
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
      // A program that breaks out of its expression may throw anything, which is no better than one that cannot be
      // read.
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

  /** One character above the limit goes out too, so that it shows that more was logged. */
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
    // What the package gives when the machine has no room to spell a text out.
    if (text === "<null>") return this.#stopAt("memoryBytesMax");
    return Buffer.byteLength(text) > resultBytesMax ? this.#stopAt("resultBytesMax") : text;
  }

  /** The throw reaches the program, which may catch it; but from here on it is interrupted. */
  #stopAt(limit: OverLimit): never {
    this.#over ??= limit;
    throw new Error("the run is over");
  }

  /** Lets the program compute until it waits for the outside, or is done. */
  #slice(work: () => void): void {
    this.#sliceStartMs = cpuMs();
    try {
      work();
      this.#runJobs();
      if (this.#over !== undefined) this.#end({ kind: "limit", limit: this.#over });
      else if (!this.#isOver) this.#waitOrEnd();
    } catch (error) {
      this.#end(this.#endFor(error));
    }
    this.#usedMs += cpuMs() - this.#sliceStartMs;
  }

  #runJobs(): void {
    const { qjs_is_job_pending: isJobPending, qjs_execute_pending_job: executeJob } = this.#vm._getExports();
    // Short jobs without end never compute long enough to be interrupted, so the clock is asked between them too.
    for (let jobs = 1; !this.#isOver && this.#over === undefined && isJobPending() !== 0; jobs++) {
      if (executeJob() < 0) this.#vm.getException().dispose();
      if (jobs % JOBS_UNTIMED_MAX === 0) this.#isInterrupted();
    }
  }

  #waitOrEnd(): void {
    // The driver catches everything but a lack of room for what it says about it, and promises that the program has
    // bent.
    if (this.#answer?.promiseState === REJECTED && this.#isFull())
      this.#end({ kind: "limit", limit: "memoryBytesMax" });
    else if (this.#answer?.promiseState === REJECTED) this.#end({ kind: "unsettled" });
    else if (this.#calls.size === 0) this.#end({ kind: "unsettled" });
    else this.#outside.wait();
  }

  #isFull(): boolean {
    return this.#vm.getMemoryUsage().mallocSize > this.#limits.memoryBytesMax / 2;
  }

  /** A text that finds no room would be an exception in disguise. */
  #string(text: string): JSValueHandle {
    const handle = this.#vm.newString(text);
    return handle.isString ? handle : this.#stopAt("memoryBytesMax");
  }

  #isInterrupted(): boolean {
    if (this.#usedMs + cpuMs() - this.#sliceStartMs > this.#limits.cpuMsMax) this.#over ??= "cpuMsMax";
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

/** What the machine would print is about itself, and nobody's output: it is told that the file is not open (EBADF). */
function writeNowhere(): number {
  return 8;
}

/** Of this thread alone where the runtime tells it: a busy computer must not make a program slow. */
function cpuMs(): number {
  const usage = process.threadCpuUsage?.();
  return usage ? (usage.user + usage.system) / 1000 : performance.now();
}
