// The one limit of what values become when they are put into each other: `A = $(B)$(B)` and `B = $(C)$(C)` double a
// text with each line.
import { type Part, Unreadable } from "./imported-tool.ts";

/** The longest commands of real files have some thousand characters. */
const EXPANDED_CHARACTERS_MAX = 1_000_000;

/** Counts for one tool. */
export class Expansions {
  #left = EXPANDED_CHARACTERS_MAX;

  /** Counts a text that is expanded, or a value that is put in. Throws if it is too much. */
  take(value: string | readonly Part[]): void {
    const parts = typeof value === "string" ? [value] : value;
    for (const part of parts) this.#left -= 1 + (typeof part === "string" ? part.length : 0);
    if (this.#left < 0)
      throw new Unreadable(
        `with all values put in, one of its commands has more than ${EXPANDED_CHARACTERS_MAX.toLocaleString("en")} characters`,
      );
  }
}
