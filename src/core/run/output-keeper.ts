// Output of a process that is too long for memory: masked, decoded and cleaned as it comes, and written to the cache
// stream by stream.
import type { Content, OutputStream } from "../tool/call.ts";
import { forModels, spelledOut } from "../text/hidden-characters.ts";
import { asLastShown, lastReturn } from "../text/overwritten.ts";
import type { Host } from "../tool/host.ts";
import type { OutputKeeper, ToolEvent } from "../tool/tool.ts";
import { KeptWriter } from "./kept-writer.ts";
import type { Masks } from "./mask.ts";

interface KeeperOptions {
  readonly masks: Masks | undefined;
  /** See `Tool.quotesFiles`. */
  readonly quotesFiles?: boolean | undefined;
}

export function openKeeper(host: Host, { masks, quotesFiles = false }: KeeperOptions): OutputKeeper {
  const readable = quotesFiles ? spelledOut : (text: string) => forModels(asLastShown(text));
  const streams = new Map<OutputStream, KeptStream>();
  const take = (event: ToolEvent): void | Promise<void> => {
    if (event.kind !== "output") return undefined;
    const kept = streams.get(event.stream) ?? new KeptStream(host, { readable, isShown: !quotesFiles });
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
  readonly #parts: TextParts;
  readonly #readable: (text: string) => string;
  readonly #writer: KeptWriter;
  /** Settles when the current block is written. Pieces that arrive wait for it. */
  #written: Promise<void> | undefined;

  constructor(host: Host, { readable, isShown }: { readable: (text: string) => string; isShown: boolean }) {
    this.#readable = readable;
    this.#parts = new TextParts(isShown);
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

/** Smaller parts wait for more text. */
const PART_CHARACTERS = 64 * 1024;
/** The length in which a place to cut a line is searched, back from its end. */
const BACK_CHARACTERS = 4 * 1024;

const ESCAPE = "\x1b";
const CONTROL_SEQUENCE = "\x9b";

export class TextParts {
  #held = "";
  readonly #isShown: boolean;

  /** `isShown`: what is overwritten later is dropped. */
  constructor(isShown = false) {
    this.#isShown = isShown;
  }

  /** Returns what can be cleaned now; empty: nothing yet. */
  take(text: string): string {
    this.#held += text;
    if (this.#held.length < PART_CHARACTERS) return "";
    const last = this.#isShown && !this.#held.includes("\n") ? lastReturn(this.#held) : -1;
    // What follows the last return may end within a terminal code.
    if (last > 0) this.#held = asLastShown(this.#held.slice(0, last)) + this.#held.slice(last);
    if (this.#held.length < PART_CHARACTERS) return "";
    const end = cutOf(this.#held);
    const part = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    return part;
  }

  end(text: string): string {
    const rest = this.#held + text;
    this.#held = "";
    return rest;
  }
}

function cutOf(text: string): number {
  const lineEnd = text.lastIndexOf("\n") + 1;
  if (lineEnd > 0) return lineEnd;
  const code = Math.max(text.lastIndexOf(ESCAPE), text.lastIndexOf(CONTROL_SEQUENCE));
  const last = text.length - 1;
  const from = last - BACK_CHARACTERS;
  const start = code > from ? code : last;
  // A cut comes before a plain letter: joiners, backspaces and second halves of characters belong to the text before
  // them.
  for (let end = start; end > from; end--) if (isPlain(text.charCodeAt(end))) return end;
  return start;
}

function isPlain(code: number): boolean {
  return (code >= 0x20 && code < 0x7f) || code === 0x1b || code === 0x9b;
}
