// A server of a queue that is away or has no room: said once, and waited for.

/** How long such a server is waited for. Then what is sent to it fails. */
const AWAY_MS_MAX = 10 * 60_000;
const RETRY_MS_STEP = 50;
export const RETRY_MS_MAX = 1_000;
/** The codes of a connection that the other side has closed. */
export const CLOSED_CODES = /^E(?:CONNRESET|PIPE)$/;

export class ServerAway {
  readonly #whenBack: string;
  readonly #onTrouble: (text: string) => void;
  #sinceMs: number | undefined;

  /** `whenBack` is the message when the server is back. */
  constructor(whenBack: string, onTrouble: (text: string) => void) {
    this.#whenBack = whenBack;
    this.#onTrouble = onTrouble;
  }

  /** Whether it is away now, as far as is known. */
  get lasts(): boolean {
    return this.#sinceMs !== undefined;
  }

  isAway(problem: string): void {
    if (this.#sinceMs === undefined) this.#onTrouble(`${problem}; waiting for it`);
    this.#sinceMs ??= performance.now();
  }

  isBack(): void {
    if (this.#sinceMs !== undefined) this.#onTrouble(this.#whenBack);
    this.#sinceMs = undefined;
  }

  /** Returns the milliseconds to wait after so many attempts. Undefined: the server is given up. */
  waitMs(times: number): number | undefined {
    if (performance.now() - (this.#sinceMs ?? Infinity) > AWAY_MS_MAX) return undefined;
    return Math.min(times * RETRY_MS_STEP, RETRY_MS_MAX);
  }
}

/** How long a server has to take the last answers of a worker. */
const LAST_ANSWERS_MS_MAX = 1_000;

/** What a worker has begun, so that it can end also if its server does not take the answers. */
export class BegunItems {
  readonly #calls = new Set<Promise<unknown>>();
  #open = 0;

  /** `handle` makes the call, `answer` tells the server. */
  async begin<T>(handle: () => Promise<T>, answer: (handled: T) => Promise<void>): Promise<void> {
    this.#open++;
    try {
      const call = handle();
      this.#calls.add(call);
      const handled = await call.finally(() => this.#calls.delete(call));
      await answer(handled);
    } finally {
      this.#open--;
    }
  }

  /** Settles when the worker need not wait for its server any longer. */
  async whenLeft(ending: AbortSignal, isAway: () => boolean): Promise<void> {
    if (!ending.aborted)
      await new Promise<void>((resolve) => ending.addEventListener("abort", () => resolve(), { once: true }));
    await Promise.allSettled(this.#calls);
    if (!isAway()) await new Promise<void>((resolve) => void setTimeout(resolve, LAST_ANSWERS_MS_MAX).unref());
  }

  /** The message when it does not wait. Undefined: nothing is open. */
  get leftText(): string | undefined {
    if (this.#open === 0) return undefined;
    return this.#open === 1
      ? "one item that was begun goes to another worker"
      : `${this.#open} items that were begun go to other workers`;
  }
}
