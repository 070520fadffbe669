// Starts a process with the handles that `node:child_process` itself uses. That module, with the sockets and streams
// that it loads and compiles in every program, takes 5 of the 39 ms of a call (`dottool glob`, one run, side by side);
// no public interface of Node does the same without it. `process.binding` is deprecated (DEP0111) and its calls change
// between versions of Node, and wrong calls end the program. So it is used only in the tested version and on the tested
// system, by callers that have a fallback: see process-start.ts. The way back is `loadBindings` returning undefined.
import process from "node:process";
import { Buffer } from "node:buffer";
import { EventEmitter } from "node:events";
import type { Writable } from "node:stream";

export interface ProcessOutput {
  on(event: "data", listener: (bytes: Buffer) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  pause(): unknown;
  resume(): unknown;
  destroy(): unknown;
}

/** The part of Node's `ChildProcess` that a run needs. */
export interface RunningProcess {
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  readonly stdin: Writable | null;
  readonly stdout: ProcessOutput | null;
  readonly stderr: ProcessOutput | null;
  readonly stdio: readonly (ProcessOutput | Writable | null | undefined)[];
  once(event: "exit", listener: (exitCode: number | null, signalName: NodeJS.Signals | null) => void): unknown;
  once(event: "close", listener: () => void): unknown;
}

/** The `process.version` in the executables for Linux. */
export const TESTED_VERSION = "v24.21.0";

export interface HandleRequest {
  /** Absolute, or relative to `cwd`. */
  readonly file: string;
  /** Starts with the program's own name. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** See process-start.ts. */
  readonly descriptors?: readonly (number | undefined)[];
  /** Set if the process writes to a further pipe, before the descriptors. */
  readonly hasReport?: true;
}

export interface HandleProcess extends RunningProcess {
  readonly pid: number;
}

/**
 * Starts a process that leads its own group, has no input, and writes to pipes. Returns undefined if that is not
 * supported here, or it cannot start; `node:child_process` says why.
 */
export function startByHandles({
  file,
  argv,
  cwd,
  environment,
  descriptors = [],
  hasReport,
}: HandleRequest): HandleProcess | undefined {
  const bindings = loadBindings();
  // Plugins may pass values that are not text: `node:child_process` accepts them, or refuses them with a message.
  if (
    bindings === undefined ||
    ![file, cwd, ...argv, ...Object.keys(environment), ...Object.values(environment)].every(isText)
  )
    return undefined;
  const child = new Child(bindings, hasReport);
  return child.start([file, argv, cwd, pairsOf(environment)], descriptors) ? child : undefined;
}

export interface ListeningHandles {
  /** The process's standard input; -1 as `fd` once it has ended. */
  readonly pipe: { readonly fd: number };
  kill(): void;
}

/**
 * Starts a process whose other streams are closed and that nothing waits for. Returns undefined as `startByHandles`
 * does.
 */
export function listenByHandles({ file, argv, cwd, environment }: HandleRequest): ListeningHandles | undefined {
  const bindings = loadBindings();
  if (bindings === undefined) return undefined;
  const { processWrap, pipeWrap } = bindings;
  const handle = new processWrap.Process();
  const pipe = new pipeWrap.Pipe(pipeWrap.constants.SOCKET);
  let hasEnded = false;
  const close = (): void => {
    hasEnded = true;
    handle.close(() => undefined);
    pipe.close(() => undefined);
  };
  handle.onexit = close;
  const stdio: readonly Stdio[] = [
    { type: "pipe", readable: true, writable: false, handle: pipe },
    { type: "ignore" },
    { type: "ignore" },
  ];
  if (handle.spawn(file, argv, cwd, pairsOf(environment), stdio, processWrap.constants.kProcessFlagDetached) !== 0)
    return void close();
  handle.unref();
  pipe.unref();
  return { pipe, kill: () => void (hasEnded || handle.kill(SIGKILL)) };
}

const SIGKILL = 9;

function pairsOf(environment: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(environment).map(([name, value]) => `${name}=${value}`);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && !value.includes("\0");
}

class Child extends EventEmitter implements HandleProcess {
  readonly stdin = null;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdio: readonly (Output | null)[];
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  readonly #handle: ProcessHandle;
  readonly #detached: number;
  /** The number of open handles: its own, and those of its pipes. */
  #open: number;

  constructor(bindings: Bindings, hasReport?: true) {
    super();
    const onClosed = (): void => this.#closed();
    this.stdout = new Output(bindings, onClosed);
    this.stderr = new Output(bindings, onClosed);
    this.stdio = [null, this.stdout, this.stderr, ...(hasReport ? [new Output(bindings, onClosed)] : [])];
    this.#open = this.stdio.length;
    this.#handle = new bindings.processWrap.Process();
    this.#detached = bindings.processWrap.constants.kProcessFlagDetached;
  }

  get pid(): number {
    return this.#handle.pid;
  }

  start(
    words: readonly [file: string, argv: readonly string[], cwd: string, pairs: readonly string[]],
    descriptors: readonly (number | undefined)[],
  ): boolean {
    const outputs = this.stdio.filter((one) => one !== null);
    this.#handle.onexit = (exitCode, signalName) => this.#exited(exitCode, signalName);
    const isStarted =
      this.#handle.spawn(
        ...words,
        [
          { type: "ignore" },
          ...outputs.map(({ pipe }) => ({ type: "pipe" as const, readable: false, writable: true, handle: pipe })),
          ...(descriptors.length > 0 ? [...(outputs.length > 2 ? [] : [undefined]), ...descriptors].map(passed) : []),
        ],
        this.#detached,
      ) === 0;
    if (!isStarted) this.#handle.close(() => undefined);
    for (const output of outputs) isStarted ? output.resume() : output.destroy();
    return isStarted;
  }

  #exited(exitCode: number, signalName: NodeJS.Signals | ""): void {
    if (signalName === "") this.exitCode = exitCode;
    else this.signalCode = signalName;
    this.#handle.close(() => this.#closed());
    this.emit("exit", this.exitCode, this.signalCode);
  }

  #closed(): void {
    this.#open--;
    if (this.#open === 0) this.emit("close");
  }
}

function passed(descriptor: number | undefined): Stdio {
  return descriptor === undefined ? { type: "ignore" } : { type: "fd", fd: descriptor };
}

/** `UV_EOF`. */
const END_OF_FILE = -4095;

function readError(errno: number): Error {
  const code = process.getBuiltinModule("node:util").getSystemErrorName(errno);
  return Object.assign(new Error(`read ${code}`), { code, errno, syscall: "read" });
}

/** The output of a process, as "data" events while it is not paused. */
class Output extends EventEmitter {
  readonly pipe: PipeHandle;
  readonly #onClosed: () => void;
  #isClosed = false;

  constructor({ pipeWrap, streamWrap }: Bindings, onClosed: () => void) {
    super();
    this.#onClosed = onClosed;
    this.pipe = new pipeWrap.Pipe(pipeWrap.constants.SOCKET);
    const { streamBaseState: state, kReadBytesOrError, kArrayBufferOffset } = streamWrap;
    this.pipe.onread = (bytes) => {
      const length = state[kReadBytesOrError] ?? 0;
      // Nothing follows an error either.
      if (length < 0) {
        this.destroy();
        if (length !== END_OF_FILE) this.emit("error", readError(length));
      }
      if (bytes !== undefined && length > 0) this.emit("data", Buffer.from(bytes, state[kArrayBufferOffset], length));
    };
  }

  pause(): void {
    if (!this.#isClosed) this.pipe.readStop();
  }

  resume(): void {
    if (!this.#isClosed) this.pipe.readStart();
  }

  destroy(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.pipe.close(this.#onClosed);
  }
}

// The types follow lib/internal/child_process.js and lib/internal/stream_base_commons.js of Node 24.21.
interface ProcessHandle {
  readonly pid: number;
  onexit: (exitCode: number, signalName: NodeJS.Signals | "") => void;
  /** Returns 0, or the negative number of a system error. */
  spawn(
    file: string,
    argv: readonly string[],
    cwd: string,
    environmentPairs: readonly string[],
    stdio: readonly Stdio[],
    flags: number,
  ): number;
  unref(): void;
  kill(signal: number): number;
  close(onClosed: () => void): void;
}

type Stdio =
  | { readonly type: "ignore" }
  | { readonly type: "fd"; readonly fd: number }
  | { readonly type: "pipe"; readonly readable: boolean; readonly writable: boolean; readonly handle: PipeHandle };

interface PipeHandle {
  /** The number of the descriptor; -1 if it is closed. */
  readonly fd: number;
  onread: (bytes: ArrayBuffer | undefined) => void;
  readStart(): void;
  readStop(): void;
  unref(): void;
  close(onClosed: () => void): void;
}

interface Bindings {
  readonly processWrap: {
    readonly Process: new () => ProcessHandle;
    readonly constants: { readonly kProcessFlagDetached: number };
  };
  readonly pipeWrap: {
    readonly Pipe: new (type: number) => PipeHandle;
    readonly constants: { readonly SOCKET: number };
  };
  /** `streamBaseState` has the number of bytes of each read, or its error, and where the bytes begin. */
  readonly streamWrap: {
    readonly streamBaseState: Int32Array;
    readonly kReadBytesOrError: number;
    readonly kArrayBufferOffset: number;
  };
}

let loaded: Bindings | false | undefined;

function loadBindings(): Bindings | undefined {
  loaded ??= isUsable() && bindingsOfNode();
  return loaded || undefined;
}

/** Returns false with `--pending-deprecation`, because Node then warns of bindings, from a function of another name. */
function isUsable(): boolean {
  return (
    process.version === TESTED_VERSION &&
    process.platform === "linux" &&
    !("Deno" in globalThis) &&
    bindingOf(process).name === "binding"
  );
}

function bindingsOfNode(): Bindings | false {
  try {
    return {
      processWrap: binding("process_wrap") as Bindings["processWrap"],
      pipeWrap: binding("pipe_wrap") as Bindings["pipeWrap"],
      streamWrap: binding("stream_wrap") as Bindings["streamWrap"],
    };
  } catch {
    // With `--permission` Node does not provide them.
    return false;
  }
}

function binding(name: string): unknown {
  return bindingOf(process)(name);
}

/** Returns `process.binding`, which has no types. */
function bindingOf(owner: object): (name: string) => unknown {
  return (owner as { readonly binding: (name: string) => unknown }).binding;
}
