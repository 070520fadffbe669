// Output of a process that is too long for memory: masked, decoded and cleaned as it comes, and written to the cache
// stream by stream.
import type { Content, OutputStream } from "../tool/call.ts";
import { forModels, spelledOut } from "../text/hidden-characters.ts";
import type { Host } from "../tool/host.ts";
import type { OutputKeeper, ToolEvent } from "../tool/tool.ts";
import { KeptWriter } from "./kept-writer.ts";
import type { Masks } from "./mask.ts";
import { TextParts } from "./text-parts.ts";

export interface KeeperOptions {
  readonly masks: Masks | undefined;
  /** See `Tool.quotesFiles`. */
  readonly quotesFiles?: boolean | undefined;
}

export function openKeeper(host: Host, { masks, quotesFiles = false }: KeeperOptions): OutputKeeper {
  const readable = quotesFiles ? spelledOut : forModels;
  const streams = new Map<OutputStream, KeptStream>();
  const take = (event: ToolEvent): void | Promise<void> => {
    if (event.kind !== "output") return undefined;
    const kept = streams.get(event.stream) ?? new KeptStream(host, readable);
    streams.set(event.stream, kept);
    return kept.take(event.bytes);
  };
  // Nothing that may not be shown is written to the disk.
  const masked = masks?.events(take);
  return {
    write: (stream, bytes) => (masked?.emit ?? take)({ kind: "output", stream, bytes }),
    end: async () => {
      await masked?.flush();
      const ended = new Map<OutputStream, Content>();
      for (const [stream, kept] of streams) ended.set(stream, await kept.end());
      return ended;
    },
  };
}

/** Masks the secrets of a nested call in the output that its caller keeps. */
export function maskInto(keeper: OutputKeeper, masks: Masks | undefined): OutputKeeper {
  if (!masks) return keeper;
  const masked = masks.events((event) =>
    event.kind === "output" ? keeper.write(event.stream, event.bytes) : undefined,
  );
  return {
    write: (stream, bytes) => masked.emit({ kind: "output", stream, bytes }),
    end: async () => {
      await masked.flush();
      return keeper.end();
    },
  };
}

class KeptStream {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #parts = new TextParts();
  readonly #readable: (text: string) => string;
  readonly #writer: KeptWriter;
  /** Settles when the current block is written. Pieces that arrive wait for it. */
  #written: Promise<void> | undefined;

  constructor(host: Host, readable: (text: string) => string) {
    this.#readable = readable;
    this.#writer = new KeptWriter(host);
  }

  take(bytes: Uint8Array): Promise<void> | undefined {
    const part = this.#parts.take(this.#decoder.decode(bytes, { stream: true }));
    return part === "" ? this.#written : this.#write(part);
  }

  async end(): Promise<Content> {
    await this.#write(this.#parts.end(this.#decoder.decode()));
    const { sizeBytes, ends, handle } = await this.#writer.end();
    return { type: "file", mediaType: "text/plain", sizeBytes, ...(handle === undefined ? {} : { handle }), ends };
  }

  #write(part: string): Promise<void> | undefined {
    const text = this.#readable(part);
    const before = this.#written;
    const written = before ? before.then(() => this.#writer.add(text)) : this.#writer.add(text);
    this.#written = written;
    const clear = (): void => void (this.#written === written && (this.#written = undefined));
    written?.then(clear, clear);
    return written;
  }
}
