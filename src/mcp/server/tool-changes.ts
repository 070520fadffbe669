// A call that changes which tools there are, such as a forging: requests that come after it wait until it is answered,
// since they may be about the new tool.

export class ToolChanges {
  #last: Promise<unknown> | undefined;

  /** Does the work at once unless such a call is open. */
  inTurn<T>(isChange: boolean, work: () => Promise<T>): Promise<T> {
    const done = this.#last ? this.#last.then(work) : work();
    if (isChange) {
      const settled = done.then(
        () => undefined,
        () => undefined,
      );
      this.#last = settled;
      void settled.then(() => {
        if (this.#last === settled) this.#last = undefined;
      });
    }
    return done;
  }
}
