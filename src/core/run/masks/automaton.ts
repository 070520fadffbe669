// Finds many texts in one pass over bytes: the automaton of Aho and Corasick. Each state is the start of some of the
// texts: the longest start with which the bytes so far end.

export class Automaton {
  /** The number of bytes that each state stands for. State 0 is the empty start. */
  readonly depths: Int32Array;
  /** The longest text that ends in this state, or 0. */
  readonly found: Int32Array;
  /** The longest start that can still become a text. */
  readonly open: Int32Array;
  /** The state after one byte, from the empty start. */
  readonly first: Int32Array;
  readonly depthMax: number;
  readonly #label: Uint8Array;
  readonly #child: Int32Array;
  readonly #sibling: Int32Array;
  readonly #shorter: Int32Array;

  constructor(texts: readonly Uint8Array[]) {
    const statesMax = 1 + texts.reduce((sum, text) => sum + text.length, 0);
    this.#label = new Uint8Array(statesMax);
    this.#child = new Int32Array(statesMax);
    this.#sibling = new Int32Array(statesMax);
    this.#shorter = new Int32Array(statesMax);
    this.depths = new Int32Array(statesMax);
    this.found = new Int32Array(statesMax);
    this.open = new Int32Array(statesMax);
    this.first = new Int32Array(256);
    let states = 1;
    for (const text of texts) {
      let state = 0;
      for (const byte of text) {
        const known = this.#childOf(state, byte);
        const next = known === 0 ? states++ : known;
        if (known === 0) {
          this.#label[next] = byte;
          this.#sibling[next] = this.#child[state] ?? 0;
          this.#child[state] = next;
          this.depths[next] = (this.depths[state] ?? 0) + 1;
          if (state === 0) this.first[byte] = next;
        }
        state = next;
      }
      this.found[state] = text.length;
    }
    this.depthMax = Math.max(0, ...texts.map((text) => text.length));
    this.#link(states);
  }

  /** Returns the next state, in linear time for any bytes: each step back undoes at least one step forward. */
  next(state: number, byte: number): number {
    let from = state;
    while (from !== 0) {
      const child = this.#childOf(from, byte);
      if (child !== 0) return child;
      from = this.#shorter[from] ?? 0;
    }
    return this.first[byte] ?? 0;
  }

  /** Whether some text continues with `byte` from here, without a step back. */
  goesOn(state: number, byte: number): boolean {
    return state !== 0 && this.#childOf(state, byte) !== 0;
  }

  #childOf(state: number, byte: number): number {
    let child = this.#child[state] ?? 0;
    while (child !== 0 && this.#label[child] !== byte) child = this.#sibling[child] ?? 0;
    return child;
  }

  /** Links the states, shorter ones first, because longer ones build on them. */
  #link(states: number): void {
    const queue = new Int32Array(states);
    let end = 0;
    const add = (state: number): void => {
      for (let child = this.#child[state] ?? 0; child !== 0; child = this.#sibling[child] ?? 0) queue[end++] = child;
    };
    add(0);
    for (let at = 0; at < end; at++) {
      const state = queue[at] ?? 0;
      const shorter = this.#shorter[state] ?? 0;
      if (this.found[state] === 0) this.found[state] = this.found[shorter] ?? 0;
      this.open[state] = this.#child[state] === 0 ? (this.open[shorter] ?? 0) : (this.depths[state] ?? 0);
      for (let child = this.#child[state] ?? 0; child !== 0; child = this.#sibling[child] ?? 0)
        this.#shorter[child] = this.next(shorter, this.#label[child] ?? 0);
      add(state);
    }
  }
}
