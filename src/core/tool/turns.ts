// A number of places for concurrent work, and a queue for them. If they are for several clients, none of them waits for
// another's: the next place goes to the client with the fewest, and a client with none gets an extra one.

type Enter = () => void;

export class Turns {
  readonly #placesMax: number;
  readonly #besideMax: number;
  /**
   * The queues of the clients, the longest waiting turn of each first. The first client is the one that was admitted
   * longest ago.
   */
  readonly #waiting = new Map<string, Set<Enter>>();
  readonly #takenBy = new Map<string, number>();
  #taken = 0;

  /** `besideMax` is the number of further places, one for each client that has no other. */
  constructor(placesMax: number, besideMax = 0) {
    this.#placesMax = placesMax;
    this.#besideMax = besideMax;
  }

  get waiting(): number {
    let waiting = 0;
    for (const queue of this.#waiting.values()) waiting += queue.size;
    return waiting;
  }

  /** Returns true when the place is taken, until `leave` of the same client, and false if the signal aborted first. */
  async enter(signal: AbortSignal, client = ""): Promise<boolean> {
    if (signal.aborted) return false;
    if (!this.#hasPlace(client)) return this.#wait(signal, client);
    this.#take(client);
    return true;
  }

  /** Does the work when there is a place. Returns undefined if the signal aborted before. */
  async take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
    if (!(await this.enter(signal))) return undefined;
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /** The next turn takes over the place, so no other can slip in. */
  leave(client = ""): void {
    this.#taken--;
    const left = (this.#takenBy.get(client) ?? 1) - 1;
    if (left === 0) this.#takenBy.delete(client);
    else this.#takenBy.set(client, left);
    const next = this.#next();
    if (next) next();
  }

  #hasPlace(client: string): boolean {
    return (
      this.#taken < this.#placesMax ||
      (client !== "" && !this.#takenBy.has(client) && this.#taken < this.#placesMax + this.#besideMax)
    );
  }

  #take(client: string): void {
    this.#taken++;
    this.#takenBy.set(client, (this.#takenBy.get(client) ?? 0) + 1);
  }

  #next(): Enter | undefined {
    const clients = [...this.#waiting.keys()].filter((client) => this.#hasPlace(client));
    const [fewest] = clients.sort((one, other) => (this.#takenBy.get(one) ?? 0) - (this.#takenBy.get(other) ?? 0));
    const [next] = this.#waiting.get(fewest ?? "") ?? [];
    return next;
  }

  #wait(signal: AbortSignal, client: string): Promise<boolean> {
    return new Promise((resolve) => {
      const enter = (): void => {
        this.#take(client);
        end(true);
      };
      const abort = (): void => end(false);
      const end = (hasPlace: boolean): void => {
        signal.removeEventListener("abort", abort);
        this.#forget(client, enter, hasPlace);
        resolve(hasPlace);
      };
      const queue = this.#waiting.get(client) ?? new Set();
      this.#waiting.set(client, queue.add(enter));
      signal.addEventListener("abort", abort);
    });
  }

  #forget(client: string, enter: Enter, isIn: boolean): void {
    const queue = this.#waiting.get(client);
    queue?.delete(enter);
    if (!isIn && queue?.size !== 0) return;
    this.#waiting.delete(client);
    // Moves the client after the others.
    if (queue && queue.size > 0) this.#waiting.set(client, queue);
  }
}
