// Masks secrets in output while it streams: what could be the start of one is held back until the next bytes tell.
import { Buffer } from "node:buffer";
import { MASK } from "../schema/describe.ts";
import type { OutputStream } from "../tool/call.ts";
import type { ToolEvent } from "../tool/tool.ts";

export interface StreamMask {
  /** Longest first. */
  readonly forms: readonly string[];
  readonly text: (text: string) => string;
}

type Emit = (event: ToolEvent) => void | Promise<void>;

export function maskStream(emit: Emit, { forms, text }: StreamMask): { readonly emit: Emit; flush(): Promise<void> } {
  const streams = { stdout: new ByteMask(forms), stderr: new ByteMask(forms) };
  const hand = (stream: OutputStream, bytes: Uint8Array): void | Promise<void> => (bytes.length === 0 ? undefined : emit({ kind: "output", stream, bytes }));
  return {
    emit: (event) => {
      switch (event.kind) {
        case "progress":
        case "log":
          return emit({ ...event, text: text(event.text) });
        case "step":
        case "resource-changed":
          return emit(event);
        case "output":
          return hand(event.stream, streams[event.stream].next(event.bytes));
      }
    },
    flush: async () => {
      await hand("stdout", streams.stdout.rest());
      await hand("stderr", streams.stderr.rest());
    },
  };
}

/** Works on bytes, one character each, because an event may end within a character. */
class ByteMask {
  readonly #forms: readonly string[];
  readonly #pattern: RegExp;
  readonly #longest: number;
  #held = "";

  constructor(forms: readonly string[]) {
    this.#forms = forms.map(byteText);
    this.#longest = Math.max(0, ...this.#forms.map((form) => form.length));
    this.#pattern = new RegExp(this.#forms.map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|") || "(?!)", "g");
  }

  next(bytes: Uint8Array): Uint8Array {
    const seen = this.#held + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
    const hold = this.#startOfUnknown(seen);
    const out: string[] = [];
    let done = 0;
    for (const match of seen.matchAll(this.#pattern)) {
      if (match.index >= hold) break;
      out.push(seen.slice(done, match.index), byteText(MASK));
      done = match.index + match[0].length;
    }
    const end = Math.max(done, hold);
    out.push(seen.slice(done, end));
    this.#held = seen.slice(end);
    return Buffer.from(out.join(""), "latin1");
  }

  /** Nothing follows: what was held back is no longer form, but may be a shorter one. */
  rest(): Uint8Array {
    const rest = this.#held.replaceAll(this.#pattern, byteText(MASK));
    this.#held = "";
    return Buffer.from(rest, "latin1");
  }

  /** Where the longest end of `seen` begins that a form begins with, and goes on after. */
  #startOfUnknown(seen: string): number {
    for (let start = Math.max(0, seen.length - this.#longest + 1); start < seen.length; start++) {
      const end = seen.slice(start);
      if (this.#forms.some((form) => form.length > end.length && form.startsWith(end))) return start;
    }
    return seen.length;
  }
}

function byteText(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
