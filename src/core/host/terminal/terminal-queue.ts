// Writes to a terminal that may accept nothing for a while, as after Ctrl-S. Node's own stream for a terminal blocks in
// the write, and misses signals meanwhile; here a write that would block is tried again later.
import { writeSync } from "node:fs";
import { codeOf } from "../../tool/error-code.ts";

/** The number of tries without a wait, some 0.5 ms: a terminal with a reader accepts more by then. */
const INSTANT_TRIES = 50;
/** The longest wait; each wait is twice the one before. */
const RETRY_MS_MAX = 16;

interface TerminalWrite {
  /** A write to it fails with EAGAIN if it would block. */
  readonly descriptor: number;
  readonly bytes: Uint8Array;
  onLost(error: unknown): void;
}

class TerminalQueue {
  readonly #writes: TerminalWrite[] = [];
  /** The failed tries since the last successful write. */
  #tries = 0;
  /** Present while a write waits for the terminal. */
  #emptied: PromiseWithResolvers<void> | undefined;
  /** Settles for writers, which are released after a signal. */
  #writable: PromiseWithResolvers<void> | undefined;
  #isReleased = false;

  /** Returns a promise that settles when everything is written, or undefined if it already is. */
  add(write: TerminalWrite): Promise<void> | undefined {
    this.#writes.push(write);
    if (this.#emptied === undefined) this.#flush();
    return this.#isReleased ? undefined : this.#writable?.promise;
  }

  /** Settles when everything is written. */
  async drained(): Promise<void> {
    await this.#emptied?.promise;
  }

  /** Releases all writers; the queue is still written while the program runs. */
  release(): void {
    this.#isReleased = true;
    this.#writable?.resolve();
  }

  #flush(): void {
    for (let next = this.#writes[0]; next !== undefined; next = this.#writes[0]) {
      try {
        const count = writeSync(next.descriptor, next.bytes);
        this.#tries = 0;
        if (count < next.bytes.length) this.#writes[0] = { ...next, bytes: next.bytes.subarray(count) };
        else this.#writes.shift();
      } catch (error) {
        if (codeOf(error) === "EAGAIN") {
          if (this.#tries++ < INSTANT_TRIES) continue;
          return this.#flushLater();
        }
        this.#writes.shift();
        next.onLost(error);
      }
    }
    this.#writable?.resolve();
    this.#emptied?.resolve();
    this.#writable = this.#emptied = undefined;
  }

  #flushLater(): void {
    this.#emptied ??= Promise.withResolvers();
    this.#writable ??= Promise.withResolvers();
    setTimeout(() => this.#flush(), Math.min(2 ** (this.#tries - INSTANT_TRIES - 1), RETRY_MS_MAX));
  }
}

/** One queue for both standard output and standard error, so that their writes to one terminal stay in order. */
export const terminalQueue = new TerminalQueue();
