// The connection to the launcher of one call. Until the call is committed, nothing of it has happened outside: then it
// can still be made the ordinary way, which is what `leave` asks for.
import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { CHUNK_BYTES, type Frame, frameOf } from "./frames.ts";

/** Thrown where a call needs something that only the executable itself can do. The result of the call is not used. */
export class OrdinaryWay extends Error {
  constructor(need: string) {
    super(`the resident process makes no calls that need ${need}`);
    this.name = "OrdinaryWay";
  }
}

/** Takes what the launcher says of a process; undefined: the launcher is gone. */
export type ProcessFrame = (frame: Frame | undefined) => void;

/** What the launcher need not know at once goes with the next frame, or soon: each write wakes it. */
const patientKinds: ReadonlySet<string> = new Set(["g", "d"]);

type Stream = "output" | "errors";
const streamKinds = { output: "o", errors: "e" } as const;

interface WaitingOutput {
  readonly parts: Buffer[];
  /** Whether the launcher has a part that it has not written yet. */
  isWriting: boolean;
  isLost: boolean;
  /** Settles when the launcher has all of it. */
  handed: PromiseWithResolvers<void> | undefined;
  /** Settles when the launcher has written all of it. */
  written: PromiseWithResolvers<void> | undefined;
}

export class LauncherLink {
  readonly #socket: Socket;
  readonly #output: Readonly<Record<Stream, WaitingOutput>> = { output: emptyOutput(), errors: emptyOutput() };
  readonly #processes = new Map<number, ProcessFrame>();
  #ids = 0;
  readonly #unsent: Buffer[] = [];
  #sending: NodeJS.Immediate | undefined;
  #isCommitted = false;
  #isLeft = false;
  onSignal: (number: number) => void = () => undefined;
  onStop: () => void = () => undefined;
  onGoOn: () => void = () => undefined;
  /** Takes standard input of a session; undefined: its end. */
  onInput: (bytes: Buffer | undefined) => void = () => undefined;
  onGone: () => void = () => undefined;
  onLost: (stream: Stream, errorNumber: number) => void = () => undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Whether something has happened that a second call would repeat. */
  get isCommitted(): boolean {
    return this.#isCommitted;
  }

  /** Whether the executable makes the call. */
  get isLeft(): boolean {
    return this.#isLeft;
  }

  /** Leaves the call to the executable; too late for that, it is a bug. */
  leave(need: string): never {
    this.#isLeft ||= !this.#isCommitted;
    throw new OrdinaryWay(need);
  }

  commit(): void {
    if (this.#isLeft) throw new OrdinaryWay("two ways");
    if (this.#isCommitted) return;
    this.#isCommitted = true;
    for (const stream of ["output", "errors"] as const) this.#writeNext(stream);
  }

  send(kind: string, content: Uint8Array): void {
    this.#unsent.push(frameOf(kind, content));
    if (!patientKinds.has(kind)) this.#sendAll();
    else this.#sending ??= setImmediate(() => this.#sendAll());
  }

  #sendAll(): void {
    clearImmediate(this.#sending);
    this.#sending = undefined;
    const frames = this.#unsent.splice(0);
    if (this.#socket.writable) this.#socket.write(frames.length === 1 ? (frames[0] as Buffer) : Buffer.concat(frames));
  }

  /** Adds what the launcher says of a process, and returns the number of the process. */
  addProcess(take: ProcessFrame): number {
    do this.#ids = (this.#ids + 1) % 256;
    while (this.#processes.has(this.#ids));
    this.#processes.set(this.#ids, take);
    return this.#ids;
  }

  removeProcess(id: number): void {
    this.#processes.delete(id);
  }

  /** Returns a promise if the reader is slow. Nothing is written before the call is committed. */
  write(stream: Stream, bytes: Uint8Array): void | Promise<void> {
    const waiting = this.#output[stream];
    if (waiting.isLost || this.#socket.destroyed) return undefined;
    // Copied, because the caller may use the memory again.
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
      waiting.parts.push(Buffer.from(bytes.subarray(at, at + CHUNK_BYTES)));
    this.#writeNext(stream);
    return waiting.parts.length === 0 || !this.#isCommitted ? undefined : this.handed(stream);
  }

  /** Settles when the launcher has all of it, which writes that before it ends. */
  async handed(stream: Stream): Promise<void> {
    const waiting = this.#output[stream];
    if (waiting.parts.length > 0) await (waiting.handed ??= Promise.withResolvers()).promise;
  }

  /** Settles when the launcher has written all of it. */
  async written(stream: Stream): Promise<void> {
    const waiting = this.#output[stream];
    if (waiting.parts.length > 0 || waiting.isWriting) await (waiting.written ??= Promise.withResolvers()).promise;
  }

  take(frame: Frame): void {
    const { kind, content } = frame;
    const [first = 0] = content;
    const stream = first === 1 ? "output" : "errors";
    switch (kind) {
      case "P":
      case "N":
      case "O":
      case "X":
        this.#processes.get(first)?.(frame);
        break;
      case "W":
        this.#output[stream].isWriting = false;
        this.#writeNext(stream);
        break;
      case "L":
        Object.assign(this.#output[stream], { isLost: true, isWriting: false });
        this.#output[stream].parts.length = 0;
        this.#writeNext(stream);
        this.onLost(stream, content.readUInt32LE(1));
        break;
      case "S":
        this.onSignal(first);
        break;
      case "T":
        this.onStop();
        this.send("s", Buffer.alloc(0));
        break;
      case "G":
        this.onGoOn();
        break;
      case "I":
        // Copied, because the memory of a read may be used again.
        this.onInput(content.length === 0 ? undefined : Buffer.from(content));
        break;
    }
  }

  /** The launcher is gone, and its processes are ended. */
  close(): void {
    this.onGone();
    for (const stream of ["output", "errors"] as const) {
      Object.assign(this.#output[stream], { isLost: true, isWriting: false });
      this.#output[stream].parts.length = 0;
      this.#writeNext(stream);
    }
    for (const take of [...this.#processes.values()]) take(undefined);
  }

  #writeNext(stream: Stream): void {
    const waiting = this.#output[stream];
    if (!(this.#isCommitted || waiting.isLost) || waiting.isWriting) return;
    const part = waiting.parts.shift();
    if (part !== undefined) {
      waiting.isWriting = true;
      this.send(streamKinds[stream], part);
    }
    if (waiting.parts.length > 0) return;
    waiting.handed?.resolve();
    waiting.handed = undefined;
    if (waiting.isWriting) return;
    waiting.written?.resolve();
    waiting.written = undefined;
  }
}

function emptyOutput(): WaitingOutput {
  return { parts: [], isWriting: false, isLost: false, handed: undefined, written: undefined };
}
