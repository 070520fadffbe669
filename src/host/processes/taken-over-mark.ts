// The mark of a run whose dottool was killed.
import { claim, claimFile, isForsaken, type ProcessMark, remove, taken, turnFile } from "./process-mark.ts";

const TURN_MS = 2;
const TURNS_MAX = 250;

/**
 * Takes over the mark, so that no other run gets it while what is left of that one is ended; it must be returned.
 * Returns false if another owner has it, whose processes have it too then.
 */
export function takeOverMark(mark: ProcessMark): boolean {
  const turn = turnFile();
  try {
    for (let tried = 0; !claim(turn); tried++) {
      if (tried === TURNS_MAX) return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TURN_MS);
    }
    try {
      const isOwn = isForsaken(mark) && remove(claimFile(mark)) && claim(claimFile(mark));
      if (isOwn) taken.add(mark);
      return isOwn;
    } finally {
      remove(turn);
    }
  } catch {
    return false;
  }
}
