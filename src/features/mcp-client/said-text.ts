// What a server says, shortened to be shown. The secrets that it was sent are masked before that, because no mask
// recognizes a part of one.
import { createMasks, type Masks } from "../../core/run/mask.ts";
import { printable } from "../../core/text/display.ts";

interface ShortenOptions {
  /** The secrets that the server was sent. */
  readonly secrets: readonly string[];
  readonly charactersMax: number;
}

/** Returns a text without secrets, safe for a terminal. */
export function shortened(text: string, { secrets, charactersMax }: ShortenOptions): string {
  return cut(masksOf(secrets).text(text), charactersMax);
}

function masksOf(hidden: readonly string[]): Masks {
  return createMasks([], { used: [], hidden, environment: () => undefined });
}

function cut(text: string, charactersMax: number): string {
  return printable(text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text);
}

const KEPT_BYTES = 8 * 1024;
const SHOWN_LINES = 8;
const LINE_CHARACTERS_MAX = 300;

/** The last lines that a server wrote to standard error. They are shown when it fails, since nothing else tells why. */
export class SaidLines {
  readonly #masked: ReturnType<Masks["events"]>;
  #kept = new Uint8Array(0);

  constructor(secrets: readonly string[]) {
    this.#masked = masksOf(secrets).events((event) => {
      if (event.kind === "output") this.#keep(event.bytes);
    });
  }

  /** Bytes in which a secret may have begun are not among the lines before more bytes or the end come. */
  add(bytes: Uint8Array): void | Promise<void> {
    return this.#masked.emit({ kind: "output", stream: "stderr", bytes });
  }

  end(): void {
    // Nothing of it waits or fails.
    void this.#masked.flush().catch(() => undefined);
  }

  /** The lines, safe for a terminal. */
  get lines(): readonly string[] {
    const lines = new TextDecoder()
      .decode(this.#kept)
      .split(/\r?\n/)
      .filter((line) => line.trim() !== "");
    return lines.slice(-SHOWN_LINES).map((line) => cut(line, LINE_CHARACTERS_MAX));
  }

  #keep(bytes: Uint8Array): void {
    const whole = new Uint8Array(this.#kept.length + bytes.length);
    whole.set(this.#kept);
    whole.set(bytes, this.#kept.length);
    this.#kept = whole.slice(-KEPT_BYTES);
  }
}
