// Output of a process that is too long for memory: decoded and cleaned as it comes, and kept stream by stream.
import { forModels, spelledOut } from "../text/hidden-characters.ts";
import { asLastShown } from "../text/overwritten.ts";
import type { Content, OutputStream } from "../tool/call.ts";
import type { Host } from "../tool/host.ts";
import type { OutputKeeper } from "../tool/tool.ts";
import { KeptWriter } from "./kept-file.ts";

/** `quotesFiles`: see `Tool.quotesFiles`. Secrets have to be masked before. */
export function openKeeper(host: Host, quotesFiles = false): OutputKeeper {
  const streams = new Map<OutputStream, KeptStream>();
  return {
    write: (stream, bytes) => {
      const kept = streams.get(stream) ?? new KeptStream(host, quotesFiles);
      streams.set(stream, kept);
      return kept.take(bytes);
    },
    end: async () => {
      const ended = new Map<OutputStream, Content>();
      for (const [stream, kept] of streams) ended.set(stream, await kept.end());
      return ended;
    },
  };
}

class KeptStream {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #parts: TextParts;
  readonly #readable: (text: string) => string;
  readonly #writer: KeptWriter;

  constructor(host: Host, quotesFiles: boolean) {
    this.#readable = quotesFiles ? spelledOut : (text) => forModels(asLastShown(text));
    this.#parts = new TextParts(!quotesFiles);
    this.#writer = new KeptWriter(host);
  }

  take(bytes: Uint8Array): Promise<void> | undefined {
    return this.#writer.add(this.#readable(this.#parts.take(this.#decoder.decode(bytes, { stream: true }))));
  }

  async end(): Promise<Content> {
    await this.#writer.add(this.#readable(this.#parts.end(this.#decoder.decode())));
    return { type: "file", mediaType: "text/plain", ...(await this.#writer.end()) };
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
    const last = this.#isShown && !this.#held.includes("\n") ? this.#held.lastIndexOf("\r") : -1;
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
