// The connection to the launcher of one call. Until the call is committed, nothing of it has happened outside: then it
// can still be made the ordinary way, which is what `leave` asks for.
import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { CHUNK_BYTES, CHUNK_FRAME_BYTES, type Frame, frameOf, WINDOW_PARTS } from "./frames.ts";

/** Thrown where a call needs something that only the executable itself can do. The result of the call is not used. */
export class OrdinaryWay extends Error {
  constructor(need: string) {
    super(`the resident process makes no calls that need ${need}`);
    this.name = "OrdinaryWay";
  }
}

/** Takes what the launcher says of a process; undefined: the launcher is gone. */
export type ProcessFrame = (frame: Frame | undefined) => void;

/** What the launcher need not know at once goes with the next frame: each write wakes it. Only `g` goes soon. */
const patientKinds: ReadonlySet<string> = new Set(["g", "d"]);

type Stream = "output" | "errors";
const streamKinds = { output: "o", errors: "e" } as const;

interface WaitingOutput {
  /** Frames. */
  readonly parts: Buffer[];
  /** The frames that the launcher has and has not written yet. */
  readonly unwritten: Buffer[];
  /** Memory of long frames, which is used again: V8's garbage collection would be most of the time of a large output. */
  readonly free: Buffer[];
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
  #leftFor: string | undefined;
  #losses = 0;
  #isHeard = false;
  #isGone = false;
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
    return this.#leftFor !== undefined;
  }

  /** What the call needed first of the executable. */
  get leftFor(): string | undefined {
    return this.#leftFor;
  }

  /** Whether the launcher left without a message, so nothing has happened: the executable may make the call. */
  get isForsaken(): boolean {
    return this.#isGone && !this.#isHeard;
  }

  /** Leaves the call to the executable; too late for that, it is a bug. */
  leave(need: string): never {
    if (!this.#isCommitted) this.#leftFor ??= need;
    throw new OrdinaryWay(need);
  }

  /** How often the launcher has told that a stream takes no more. */
  get losses(): number {
    return this.#losses;
  }

  commit(): void {
    if (this.isLeft) throw new OrdinaryWay("two ways");
    if (this.#isCommitted) return;
    this.#isCommitted = true;
    for (const stream of ["output", "errors"] as const) this.#writeNext(stream);
  }

  send(kind: string, content: Uint8Array): void {
    this.#unsent.push(frameOf(kind, content));
    if (!patientKinds.has(kind)) this.#sendAll();
    else if (kind === "g") this.#sending ??= setImmediate(() => this.#sendAll());
  }

  #sendAll(): void {
    clearImmediate(this.#sending);
    this.#sending = undefined;
    const frames = this.#unsent.splice(0);
    if (!this.#socket.writable) return;
    const isLong = frames.length > 1 && frames.some(({ length }) => length === CHUNK_FRAME_BYTES);
    for (const bytes of isLong || frames.length === 1 ? frames : [Buffer.concat(frames)]) this.#socket.write(bytes);
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
    // Copied into a frame at once, because the caller may use the memory again.
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      const part = bytes.subarray(at, at + CHUNK_BYTES);
      const memory = part.length === CHUNK_BYTES ? waiting.free.pop() : undefined;
      waiting.parts.push(frameOf(streamKinds[stream], part, memory));
    }
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
    if (waiting.parts.length > 0 || waiting.unwritten.length > 0)
      await (waiting.written ??= Promise.withResolvers()).promise;
  }

  take(frame: Frame): void {
    this.#isHeard = true;
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
        this.#reuse(stream);
        this.#writeNext(stream);
        break;
      case "L":
        this.#losses++;
        this.#lose(stream);
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
        this.onInput(content.length === 0 ? undefined : content);
        break;
    }
  }

  /** The launcher is gone, and its processes are ended. */
  close(): void {
    this.#isGone = true;
    this.onGone();
    for (const stream of ["output", "errors"] as const) this.#lose(stream);
    for (const take of [...this.#processes.values()]) take(undefined);
  }

  #lose(stream: Stream): void {
    const waiting = this.#output[stream];
    waiting.isLost = true;
    for (const list of [waiting.parts, waiting.unwritten, waiting.free]) list.length = 0;
    this.#writeNext(stream);
  }

  /** The oldest frame is written, so it has been sent. */
  #reuse(stream: Stream): void {
    const { unwritten, free } = this.#output[stream];
    const frame = unwritten.shift();
    if (frame?.length === CHUNK_FRAME_BYTES && free.length < WINDOW_PARTS) free.push(frame);
  }

  #writeNext(stream: Stream): void {
    const waiting = this.#output[stream];
    if (!(this.#isCommitted || waiting.isLost)) return;
    while (waiting.unwritten.length < WINDOW_PARTS && waiting.parts.length > 0) {
      const frame = waiting.parts.shift() as Buffer;
      waiting.unwritten.push(frame);
      this.#unsent.push(frame);
      this.#sendAll();
    }
    if (waiting.parts.length > 0) return;
    waiting.handed?.resolve();
    waiting.handed = undefined;
    if (waiting.unwritten.length > 0) return;
    waiting.written?.resolve();
    waiting.written = undefined;
  }
}

function emptyOutput(): WaitingOutput {
  return { parts: [], unwritten: [], free: [], isLost: false, handed: undefined, written: undefined };
}
