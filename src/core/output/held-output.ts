// The output of an attempt that may be repeated, held back until it is shown or dropped: in memory up to some MiB, and
// then in a file of the cache.
import type { OutputStream } from "../tool/call.ts";
import type { FileWriter, Host } from "../tool/host.ts";
import type { HeldOutput, OutputEvent, ToolContext } from "../tool/tool.ts";
import { createKept, keptFile } from "./kept-file.ts";

const MEMORY_BYTES_MAX = 2 * 1024 * 1024;

/** `holdOutput` of the context opens the file; without it, all is held in memory. */
export class HeldEvents {
  readonly #context: Pick<ToolContext, "holdOutput">;
  #events: OutputEvent[] = [];
  #sizeBytes = 0;
  #file: Promise<HeldOutput> | undefined;
  /** The last write to the file. */
  #added: Promise<void> | undefined;
  #isOver = false;

  constructor(context: Pick<ToolContext, "holdOutput">) {
    this.#context = context;
  }

  /** Returns a promise if the file is slow. */
  add(event: OutputEvent): void | Promise<void> {
    // The attempt was abandoned.
    if (this.#isOver) return;
    this.#events.push(event);
    this.#sizeBytes += event.bytes.length;
    if (this.#sizeBytes <= MEMORY_BYTES_MAX || !this.#context.holdOutput) return;
    this.#file ??= this.#context.holdOutput();
    this.#added = this.#handOver(this.#file, this.#added);
    return this.#added;
  }

  /** Sends the output to `emit`, if given; later output is dropped. */
  async end(emit?: ToolContext["emit"]): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#added;
    const events = this.#events;
    this.#events = [];
    await (await this.#file)?.end(emit);
    if (emit) for (const event of events) await emit(event);
  }

  async #handOver(opening: Promise<HeldOutput>, before: Promise<void> | undefined): Promise<void> {
    await before;
    const file = await opening;
    for (const { stream, bytes } of this.#events.splice(0)) await file.write(stream, bytes);
  }
}

/** The length in which output is read. */
const PART_BYTES_MAX = 64 * 1024;

export class HeldFile implements HeldOutput {
  readonly #host: Host;
  readonly #handle: string;
  #file: FileWriter | undefined;
  /** What the file has, in order. */
  readonly #parts: { readonly stream: OutputStream; sizeBytes: number }[] = [];
  /** Output that came after the disk was full. */
  readonly #rest: OutputEvent[] = [];
  #isFull = false;

  constructor(host: Host) {
    this.#host = host;
    // If this program is killed, the file is removed later, like everything that is stored there.
    this.#handle = host.randomId();
  }

  /** On a full disk the output stays in memory, so that none is lost. */
  async write(stream: OutputStream, bytes: Uint8Array): Promise<void> {
    try {
      if (!this.#isFull) {
        this.#file ??= await createKept(this.#host, this.#handle);
        await this.#file.write(bytes);
        const last = this.#parts.at(-1);
        if (last?.stream === stream) last.sizeBytes += bytes.length;
        else this.#parts.push({ stream, sizeBytes: bytes.length });
        return;
      }
    } catch {
      this.#isFull = true;
    }
    this.#rest.push({ kind: "output", stream, bytes });
  }

  async end(emit?: (event: OutputEvent) => void | Promise<void>): Promise<void> {
    const path = keptFile(this.#host.folders, this.#handle);
    try {
      await this.#file?.close();
      if (!emit) return;
      let offset = 0;
      for (const { stream, sizeBytes } of this.#parts) {
        for (const end = offset + sizeBytes; offset < end; ) {
          const lengthMax = Math.min(PART_BYTES_MAX, end - offset);
          const bytes = await this.#host.files.readBytes(path, { offset, lengthMax });
          if (bytes.length === 0) throw Object.assign(new Error(`${path} was cut short`), { code: "EIO", path });
          await emit({ kind: "output", stream, bytes });
          offset += bytes.length;
        }
      }
      for (const event of this.#rest) await emit(event);
    } finally {
      if (this.#file) await this.#host.files.remove(path).catch(() => undefined);
    }
  }
}
