// One way of reading: bytes, each with the place in the output that it was read from.
import type { Automaton } from "./automaton.ts";

/** The length of a form's start for which the end of a line is held back. Nearly every line ends with a shorter one. */
const BEHIND_LINE_MIN = 4;

/** `end` is after the last byte. */
export type Found = (start: number, end: number) => void;

export class Track {
  readonly #automaton: Automaton;
  readonly #found: Found;
  /** Where the last bytes that were read began; as many as the longest text has. */
  readonly #starts: Float64Array;
  #state = 0;
  #read = 0;

  constructor(automaton: Automaton, found: Found) {
    this.#automaton = automaton;
    this.#found = found;
    this.#starts = new Float64Array(2 ** Math.ceil(Math.log2(automaton.depthMax + 1)));
  }

  get isIdle(): boolean {
    return this.#state === 0;
  }

  /**
   * Returns where the text that may still become a secret began, or Infinity. `isBehindLine` says that a line has ended
   * since the last byte.
   */
  openFrom(isBehindLine: boolean): number {
    const open = this.#automaton.open[this.#state] ?? 0;
    return open === 0 || (isBehindLine && open < BEHIND_LINE_MIN) ? Infinity : this.#startOf(open);
  }

  read(byte: number, start: number, end: number): void {
    const next = this.#state === 0 ? (this.#automaton.first[byte] ?? 0) : this.#automaton.next(this.#state, byte);
    this.#state = next;
    if (next === 0) return;
    this.#starts[this.#read & (this.#starts.length - 1)] = start;
    this.#read++;
    const length = this.#automaton.found[next] ?? 0;
    if (length > 0) this.#found(this.#startOf(length), end);
  }

  /** Forgets the bytes so far; the next one follows nothing. */
  reset(): void {
    this.#state = 0;
  }

  /** Returns where the last `length` bytes start. */
  #startOf(length: number): number {
    return this.#starts[(this.#read - length) & (this.#starts.length - 1)] ?? 0;
  }
}
