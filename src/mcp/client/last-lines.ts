// The last lines that a server wrote to standard error. They are shown when it fails, since nothing else tells why.
import { printable } from "../../text/display.ts";

const KEPT_BYTES = 8 * 1024;
const SHOWN_LINES = 8;
const LINE_CHARACTERS_MAX = 300;

export class LastLines {
  #kept = new Uint8Array(0);

  add(bytes: Uint8Array): void {
    const whole = new Uint8Array(this.#kept.length + bytes.length);
    whole.set(this.#kept);
    whole.set(bytes, this.#kept.length);
    this.#kept = whole.slice(-KEPT_BYTES);
  }

  /** The lines, safe for a terminal. */
  get lines(): readonly string[] {
    const lines = new TextDecoder()
      .decode(this.#kept)
      .split(/\r?\n/)
      .filter((line) => line.trim() !== "");
    return lines
      .slice(-SHOWN_LINES)
      .map((line) => printable(line.length > LINE_CHARACTERS_MAX ? `${line.slice(0, LINE_CHARACTERS_MAX)}…` : line));
  }
}
