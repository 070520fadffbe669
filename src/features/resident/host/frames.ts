// What the resident process and a launcher say to each other on their connection. A frame is the length of its content
// (4 bytes, little-endian), its kind (one ASCII character), and the content. A text ends with NUL, `id` and `stream` (1
// or 2) are bytes, and other numbers have 4 bytes. scripts/launcher/call.c is the other side.
//
// The launcher says:                                 The resident process says:
// C  a call: see caller-facts.ts                     c  make the call the ordinary way
// P  id, pid: the process has been started           r  start a process: see launched-process.ts
// N  id, error number: it could not be               g  id, stream: one of its parts has been taken
// O  id, stream, bytes: a part; empty: its end       d  id: no more of it is wanted
// X  id, 0, exit code, or id, 1, signal; then 1: no  o  bytes for standard output; at most CHUNK_BYTES
//    process is left of all that it has started
// W  stream: one of its parts has been written       e  the same for standard error
// L  stream, error number: it takes no more          s  stop yourself
// S  a signal came                                   x  exit code, 1: leave unwritten output, number of L that came
//                                                       before; then the call is over, if no other L was said
// T  a signal came that stops programs
// G  it goes on after that                           m  a session begins: see below
// I  bytes of standard input; empty: its end
//
// In a session (scripts/launcher/session.c) it sends a, an answer: how many bytes of input are dealt with, 1 if they
// must be known to an executable that goes on with the session, bytes for standard output; h, let the executable go on;
// e and x as above.
import { Buffer } from "node:buffer";

/** Part of the name of the socket: both sides must mean the same. PROTOCOL of scripts/launcher/request.c. */
export const PROTOCOL = "4";

const HEAD_BYTES = 5;
/** The longest part of a stream in a frame, both ways: with what is before it, as much as Node reads at once. */
export const CHUNK_BYTES = 64 * 1024 - HEAD_BYTES - 2;
export const CHUNK_FRAME_BYTES = HEAD_BYTES + CHUNK_BYTES;
/** The parts of a stream on their way at once, both ways. WINDOW_PARTS of scripts/launcher/process.c. */
export const WINDOW_PARTS = 4;
/** Words and variables together are at most 6 MiB on Linux. */
const CONTENT_BYTES_MAX = 8 * 1024 * 1024;

export interface Frame {
  readonly kind: string;
  readonly content: Buffer;
}

/** `memory`: what the frame is written into; it has the frame's length. */
export function frameOf(
  kind: string,
  content: Uint8Array,
  memory: Buffer = Buffer.allocUnsafe(HEAD_BYTES + content.length),
): Buffer {
  memory.writeUInt32LE(content.length, 0);
  memory.write(kind, HEAD_BYTES - 1, "latin1");
  memory.set(content, HEAD_BYTES);
  return memory;
}

export function textsOf(texts: readonly string[]): Buffer {
  return Buffer.from(texts.map((text) => `${text}\0`).join(""));
}

/** Makes frames of bytes as they come. Their content stays as it is: each read has memory of its own. */
export class FrameReader {
  readonly #parts: Buffer[] = [];
  #bytes = 0;
  /** The bytes that the next frame is known to have. */
  #wanted = HEAD_BYTES;

  /** Throws for what no launcher sends. */
  *read(bytes: Buffer): Generator<Frame> {
    this.#parts.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes < this.#wanted) return;
    let rest = this.#parts.length === 1 ? bytes : Buffer.concat(this.#parts);
    while (rest.length >= (this.#wanted = frameBytes(rest))) {
      const kind = rest.toString("latin1", HEAD_BYTES - 1, HEAD_BYTES);
      yield { kind, content: rest.subarray(HEAD_BYTES, this.#wanted) };
      rest = rest.subarray(this.#wanted);
    }
    this.#parts.splice(0, this.#parts.length, ...(rest.length === 0 ? [] : [rest]));
    this.#bytes = rest.length;
  }
}

function frameBytes(start: Buffer): number {
  if (start.length < HEAD_BYTES) return HEAD_BYTES;
  const length = start.readUInt32LE(0);
  if (length > CONTENT_BYTES_MAX) throw new Error(`a frame of ${length} bytes`);
  return HEAD_BYTES + length;
}
