// The mark of a run whose dottool was killed. What a call loads has no part of this.
import { unlinkSync } from "node:fs";
import { claim, claimFile, isForsaken, type ProcessMark, TURN } from "./process-mark.ts";

const TURN_MS = 2;
const TURNS_MAX = 250;

export interface TakenOverMark {
  release(): void;
}

/**
 * Takes over the mark, so that no other run gets it while what is left of that one is ended. Returns undefined if
 * another owner has it, whose processes have it too then.
 */
export function takeOverMark(mark: ProcessMark): TakenOverMark | undefined {
  const path = claimFile(mark);
  try {
    for (let tried = 0; !claim(TURN); tried++) {
      if (tried === TURNS_MAX) return undefined;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TURN_MS);
    }
    try {
      if (!isForsaken(mark)) return undefined;
      unlinkSync(path);
      return claim(path) ? { release: () => unlinkSync(path) } : undefined;
    } finally {
      unlinkSync(TURN);
    }
  } catch {
    return undefined;
  }
}
