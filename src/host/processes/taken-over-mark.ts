// The mark of a run whose dottool was killed. What a call loads has no part of this.
import { existsSync, readlinkSync, symlinkSync, unlinkSync } from "node:fs";
import { codeOf } from "../../tool/error-code.ts";
import { CLAIM_PREFIX, markText, ownName, type ProcessMark } from "./process-mark.ts";

/** As in process-mark.ts: whoever claims it may take over marks. */
const TURN = `${CLAIM_PREFIX}turn`;
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
  const claim = CLAIM_PREFIX + markText(mark);
  try {
    for (let tried = 0; !isClaimed(TURN); tried++) {
      if (tried === TURNS_MAX) return undefined;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TURN_MS);
    }
    try {
      const [pid, ...namespace] = readlinkSync(claim).split(" ");
      const isForsaken = ownName().endsWith(` ${namespace.join(" ")}`) && !existsSync(`/proc/${pid}`);
      if (!isForsaken) return undefined;
      unlinkSync(claim);
      return isClaimed(claim) ? { release: () => unlinkSync(claim) } : undefined;
    } finally {
      unlinkSync(TURN);
    }
  } catch {
    return undefined;
  }
}

/** Returns false if another process has claimed it. */
function isClaimed(path: string): boolean {
  try {
    symlinkSync(ownName(), path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}
