// The output of a process as it comes: in memory up to some MiB, and then in the store. Of bytes that are not text,
// only the hash is kept.
import { Buffer } from "node:buffer";
import type { Content, OutputStream } from "../tool/call.ts";
import type { Hasher } from "../tool/host.ts";
import type { OutputKeeper, ToolContext } from "../tool/tool.ts";
import { binaryMediaType, HEAD_BYTES_MAX } from "./binary-media-type.ts";

/** The limit in memory, where the rest can be stored. */
const MEMORY_BYTES_MAX = 2 * 1024 * 1024;
/** The length up to which pieces are joined, since each takes some memory of its own. */
const JOINED_BYTES_MAX = 64 * 1024;

export interface OutputPiece {
  readonly stream: OutputStream;
  readonly bytes: Uint8Array;
}

export interface DecodedPiece {
  readonly stream: OutputStream;
  readonly text: string;
}

interface Binary {
  readonly mediaType: string;
  readonly hasher: Hasher;
  sizeBytes: number;
}

interface Piece extends OutputPiece {
  bytes: Uint8Array;
  /** Whether `bytes` has room at its end, and no other code reads it. */
  isOwn: boolean;
}

export class GatheredOutput {
  readonly #context: Pick<ToolContext, "host" | "keepOutput">;
  #pieces: Piece[] = [];
  #sizeBytes = 0;
  readonly #seen = new Set<OutputStream>();
  readonly #texts = new Set<OutputStream>();
  readonly #binary = new Map<OutputStream, Binary>();
  #keeper: OutputKeeper | undefined;
  /** Settles when the output so far has been passed on. */
  #handing: Promise<void> | undefined;

  constructor(context: Pick<ToolContext, "host" | "keepOutput">) {
    this.#context = context;
  }

  /** A returned promise says that the store is slow. */
  take(stream: OutputStream, bytes: Uint8Array): void | Promise<void> {
    this.#seen.add(stream);
    const binary = this.#binary.get(stream);
    if (binary) return addTo(binary, bytes);
    if (this.#keeper && !this.#handing && this.#texts.has(stream)) return this.#keeper.write(stream, bytes);
    this.#hold(stream, bytes);
    if (!this.#texts.has(stream)) this.#decide(stream, HEAD_BYTES_MAX);
    if (!this.#handing && !this.#keeper && this.#sizeBytes > MEMORY_BYTES_MAX && this.#context.keepOutput)
      this.#handing = this.#open(this.#context.keepOutput());
    else if (!this.#handing && this.#keeper) this.#handing = this.#handOver(this.#keeper);
    return this.#handing;
  }

  /** Returns standard output first, even if it is empty, and standard error if there is any. */
  async end(): Promise<{ readonly content: readonly Content[]; readonly transcript: readonly DecodedPiece[] }> {
    await this.#handing;
    const streams = this.#seen.has("stderr") ? (["stdout", "stderr"] as const) : (["stdout"] as const);
    for (const stream of streams) this.#decide(stream, 0);
    if (this.#keeper) await this.#handOver(this.#keeper);
    const kept = await this.#keeper?.end();
    const transcript = decodePieces(this.#pieces);
    // The same strings as in the transcript: a second copy would take another 100 MB.
    const textOf = (stream: OutputStream): string =>
      transcript.filter((piece) => piece.stream === stream).reduce((joined, { text }) => joined + text, "");
    const content = streams.map((stream): Content => {
      const { mediaType, sizeBytes, hasher } = this.#binary.get(stream) ?? {};
      if (mediaType !== undefined && hasher)
        return { type: "file", mediaType, sizeBytes: sizeBytes ?? 0, sha256: hasher.sha256() };
      return kept?.get(stream) ?? { type: "text", text: textOf(stream) };
    });
    return { content, transcript };
  }

  #hold(stream: OutputStream, bytes: Uint8Array): void {
    this.#sizeBytes += bytes.length;
    const last = this.#pieces.at(-1);
    if (last?.stream !== stream || last.bytes.length + bytes.length > JOINED_BYTES_MAX)
      return void this.#pieces.push({ stream, bytes, isOwn: false });
    const size = last.bytes.length + bytes.length;
    const room =
      last.isOwn && last.bytes.byteOffset === 0 && last.bytes.buffer.byteLength >= size
        ? new Uint8Array(last.bytes.buffer)
        : new Uint8Array(Math.min(JOINED_BYTES_MAX, 2 * size));
    if (!last.isOwn || room.buffer !== last.bytes.buffer) room.set(last.bytes);
    room.set(bytes, last.bytes.length);
    last.bytes = room.subarray(0, size);
    last.isOwn = true;
  }

  /** Decides once there are `bytesMin` of the stream. */
  #decide(stream: OutputStream, bytesMin: number): void {
    if (this.#texts.has(stream) || this.#binary.has(stream)) return;
    const head = headOf(this.#pieces, stream);
    if (head.length < bytesMin) return;
    const mediaType = binaryMediaType(head);
    if (mediaType === undefined) return void this.#texts.add(stream);
    const binary: Binary = { mediaType, hasher: this.#context.host.hasher(), sizeBytes: 0 };
    this.#binary.set(stream, binary);
    const own = this.#pieces.filter((piece) => piece.stream === stream);
    for (const { bytes } of own) addTo(binary, bytes);
    this.#pieces = this.#pieces.filter((piece) => piece.stream !== stream);
    this.#sizeBytes -= binary.sizeBytes;
  }

  async #open(opening: Promise<OutputKeeper>): Promise<void> {
    this.#keeper = await opening;
    await this.#handOver(this.#keeper);
  }

  /** Passes on the output, including what arrives in the meantime. */
  async #handOver(keeper: OutputKeeper): Promise<void> {
    for (const stream of this.#seen) this.#decide(stream, 0);
    while (this.#pieces.length > 0) {
      const pieces = this.#pieces;
      this.#pieces = [];
      for (const { stream, bytes } of pieces) await keeper.write(stream, bytes);
    }
    this.#handing = undefined;
  }
}

function addTo(binary: Binary, bytes: Uint8Array): void {
  binary.hasher.add(bytes);
  binary.sizeBytes += bytes.length;
}

/**
 * Decodes both streams in arrival order, each as one UTF-8 text: a character split between two pieces is whole in the
 * later one, and invalid UTF-8 becomes U+FFFD. A stream that is not text is left out.
 */
export function decodePieces(pieces: readonly OutputPiece[]): readonly DecodedPiece[] {
  const streams = (["stdout", "stderr"] as const).filter(
    (stream) => binaryMediaType(headOf(pieces, stream)) === undefined,
  );
  const decoders = new Map(streams.map((stream) => [stream, new TextDecoder("utf-8", { ignoreBOM: true })]));
  const decoded: { stream: OutputStream; text: string }[] = [];
  const add = (stream: OutputStream, text: string): void => {
    if (text === "") return;
    const last = decoded.at(-1);
    if (last?.stream === stream) last.text += text;
    else decoded.push({ stream, text });
  };
  for (const { stream, bytes } of pieces) add(stream, decoders.get(stream)?.decode(bytes, { stream: true }) ?? "");
  for (const [stream, decoder] of decoders) add(stream, decoder.decode());
  return decoded;
}

function headOf(pieces: readonly OutputPiece[], stream: OutputStream): Uint8Array {
  const head: Uint8Array[] = [];
  let sizeBytes = 0;
  for (const { bytes, stream: from } of pieces) {
    if (from !== stream || sizeBytes >= HEAD_BYTES_MAX) continue;
    head.push(bytes);
    sizeBytes += bytes.length;
  }
  return Buffer.concat(head).subarray(0, HEAD_BYTES_MAX);
}
