// A call that changes which tools there are, such as a forging: requests that come after it wait until it is answered,
// since they may be about the new tool.

export class ToolChanges {
  #last: Promise<unknown> | undefined;

  /** Does the work at once unless such a call is open. */
  inTurn<T>(isChange: boolean, work: () => Promise<T>): Promise<T> {
    const done = this.#last ? this.#last.then(work) : work();
    if (isChange) {
      const open: Promise<unknown> = Promise.allSettled([done]).finally(() => {
        if (this.#last === open) this.#last = undefined;
      });
      this.#last = open;
    }
    return done;
  }
}
