// The one limit of what values become when they are put into each other: `A = $(B)$(B)` and `B = $(C)$(C)` double a
// text with each line. A tool that uses such a value is left out; a file with many of them is refused.
import { type Part, type ToolCandidates, Unreadable } from "./imported-tool.ts";

/** The longest commands of real files have some thousand characters. */
const EXPANDED_CHARACTERS_MAX = 1_000_000;

/** The limit of tools of a file for which that much is expanded in vain. */
const LEFT_OUT_MAX = 10;

class TooLong extends Unreadable {}

/** Returns what `read` makes of each tool of a file. */
export function readEach<Item>(
  tools: Iterable<readonly [name: string, item: Item]>,
  read: (item: Item, name: string) => ToolCandidates,
): readonly ToolCandidates[] {
  let leftOut = 0;
  return Array.from(tools, ([name, item]) => {
    try {
      return read(item, name);
    } catch (error) {
      if (!(error instanceof TooLong) || ++leftOut > LEFT_OUT_MAX) throw error;
      return { name, candidates: [], leftOut: error.message };
    }
  });
}

/** Counts for one tool. So many parts are too many for the arguments of one `push`. */
export class Expansions {
  #left = EXPANDED_CHARACTERS_MAX;

  /** Counts a text that is expanded, or a value that is put in. Throws if it is too much. */
  take(value: string | readonly Part[]): void {
    const parts = typeof value === "string" ? [value] : value;
    for (const part of parts) this.#left -= 1 + (typeof part === "string" ? part.length : 0);
    if (this.#left < 0)
      throw new TooLong(
        `with all values put in, one of its commands has more than ${EXPANDED_CHARACTERS_MAX.toLocaleString("en")} characters`,
      );
  }
}
