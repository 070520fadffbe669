// A number of places for things that run at once, and a queue before them.

export class Turns {
  readonly #placesMax: number;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(placesMax: number) {
    this.#placesMax = placesMax;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** True: the place is taken, until `leave`. False: the signal aborted first. */
  async enter(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#taken >= this.#placesMax) return this.#wait(signal);
    this.#taken++;
    return true;
  }

  /** Undefined: the signal aborted before there was a place. */
  async take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
    if (!(await this.enter(signal))) return undefined;
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /** Who waits longest takes the place over, so nobody slips in between. */
  leave(): void {
    const [next] = this.#waiting;
    if (next) next();
    else this.#taken--;
  }

  #wait(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const enter = (): void => end(true);
      const abort = (): void => end(false);
      const end = (hasPlace: boolean): void => {
        this.#waiting.delete(enter);
        signal.removeEventListener("abort", abort);
        resolve(hasPlace);
      };
      this.#waiting.add(enter);
      signal.addEventListener("abort", abort);
    });
  }
}
