// A server of a queue that is away or has no room: said once, and waited for.

/** How long such a server is waited for. Then what is sent to it fails. */
const AWAY_MS_MAX = 10 * 60_000;
const RETRY_MS_STEP = 50;
export const RETRY_MS_MAX = 1_000;
/** Of a connection that its other side has closed. */
export const CLOSED_CODES = /^E(?:CONNRESET|PIPE)$/;

export class ServerAway {
  readonly #whenBack: string;
  readonly #onTrouble: (text: string) => void;
  #sinceMs: number | undefined;

  /** `whenBack` is said when it is over. */
  constructor(whenBack: string, onTrouble: (text: string) => void) {
    this.#whenBack = whenBack;
    this.#onTrouble = onTrouble;
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
