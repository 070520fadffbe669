// Output of an attempt that may be repeated and is too long for memory. It waits in a file of the cache, masked, until
// it is shown or dropped.
import { keptFile, keptFolder } from "../base/kept-output.ts";
import type { OutputStream } from "../tool/call.ts";
import type { FileWriter, Host } from "../tool/host.ts";
import type { HeldOutput, OutputEvent, ToolEvent } from "../tool/tool.ts";
import type { Masks } from "./mask.ts";

/** `parent` holds the output of the calling tool, whose secrets may have been passed on. */
export function holdMasked(host: Host, masks: Masks | undefined, parent: HeldOutput | undefined): HeldOutput {
  const held = parent ?? new HeldFile(host);
  if (!masks) return held;
  const add = (event: ToolEvent): Promise<void> | undefined => (event.kind === "output" ? held.add(event) : undefined);
  // Nothing that may not be shown is written to the disk.
  const masked = masks.events(add);
  return {
    add: async (event) => void (await masked.emit(event)),
    end: async (emit) => {
      await masked.flush();
      await held.end(emit);
    },
  };
}

/** The length in which output is written and read. */
const BLOCK_BYTES = 256 * 1024;
const PIECE_BYTES_MAX = 64 * 1024;
/** The length of a piece's header: its stream, and its length. */
const HEAD_BYTES = 5;
const streams: readonly OutputStream[] = ["stdout", "stderr"];

class HeldFile implements HeldOutput {
  readonly #host: Host;
  readonly #path: string;
  #file: FileWriter | undefined;
  #pending = new Uint8Array(BLOCK_BYTES);
  #pendingBytes = 0;
  #sizeBytes = 0;
  /** Output that came after the file was full. */
  #rest: OutputEvent[] = [];
  #isFull = false;

  constructor(host: Host) {
    this.#host = host;
    // If this program is killed, the file is removed later, like everything that is stored there.
    this.#path = keptFile(host.folders, host.randomId());
  }

  async add(event: OutputEvent): Promise<void> {
    for (let start = 0; start < event.bytes.length; start += PIECE_BYTES_MAX) {
      const bytes = event.bytes.subarray(start, start + PIECE_BYTES_MAX);
      if (!this.#isFull && this.#pendingBytes + HEAD_BYTES + bytes.length > BLOCK_BYTES) await this.#write();
      if (this.#isFull) this.#rest.push({ ...event, bytes });
      else this.#append(streams.indexOf(event.stream), bytes);
    }
  }

  async end(emit?: (event: OutputEvent) => void | Promise<void>): Promise<void> {
    try {
      await this.#file?.close();
      if (!emit) return;
      await this.#read(emit);
      for (const event of [...piecesIn(this.#pending.subarray(0, this.#pendingBytes)).events, ...this.#rest])
        await emit(event);
    } finally {
      if (this.#file) await this.#host.files.remove(this.#path).catch(() => undefined);
    }
  }

  #append(stream: number, bytes: Uint8Array): void {
    const view = new DataView(this.#pending.buffer);
    view.setUint8(this.#pendingBytes, stream);
    view.setUint32(this.#pendingBytes + 1, bytes.length);
    this.#pending.set(bytes, this.#pendingBytes + HEAD_BYTES);
    this.#pendingBytes += HEAD_BYTES + bytes.length;
  }

  /** Writes. On a full disk the output stays in memory, so that none is lost. */
  async #write(): Promise<void> {
    try {
      if (!this.#file) await this.#host.files.makeFolder(keptFolder(this.#host.folders), { mode: 0o700 });
      this.#file ??= await this.#host.files.create(this.#path, { mode: 0o600 });
      await this.#file.write(this.#pending.subarray(0, this.#pendingBytes));
      this.#sizeBytes += this.#pendingBytes;
      this.#pendingBytes = 0;
    } catch {
      this.#isFull = true;
    }
  }

  async #read(emit: (event: OutputEvent) => void | Promise<void>): Promise<void> {
    for (let offset = 0; offset < this.#sizeBytes; ) {
      const block = await this.#host.files.readBytes(this.#path, {
        offset,
        lengthMax: Math.min(BLOCK_BYTES, this.#sizeBytes - offset),
      });
      const { events, bytes } = piecesIn(block);
      if (bytes === 0) throw Object.assign(new Error(`${this.#path} was cut short`), { code: "EIO", path: this.#path });
      for (const event of events) await emit(event);
      offset += bytes;
    }
  }
}

function piecesIn(block: Uint8Array): { readonly events: readonly OutputEvent[]; readonly bytes: number } {
  const view = new DataView(block.buffer, block.byteOffset, block.length);
  const events: OutputEvent[] = [];
  let at = 0;
  while (at + HEAD_BYTES <= block.length) {
    const end = at + HEAD_BYTES + view.getUint32(at + 1);
    if (end > block.length) break;
    events.push({
      kind: "output",
      stream: streams[view.getUint8(at)] ?? "stdout",
      bytes: block.subarray(at + HEAD_BYTES, end),
    });
    at = end;
  }
  return { events, bytes: at };
}
