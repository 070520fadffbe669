// The mark of a run whose dottool was killed. What a call loads has no part of this.
import { unlinkSync } from "node:fs";
import { CLAIM_PREFIX, markText, type ProcessMark, takeForsaken } from "./process-mark.ts";

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
  let tried = 0;
  const waits = (): boolean => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TURN_MS);
    return ++tried < TURNS_MAX;
  };
  try {
    return takeForsaken(mark, waits) === undefined
      ? undefined
      : { release: () => unlinkSync(CLAIM_PREFIX + markText(mark)) };
  } catch {
    return undefined;
  }
}
