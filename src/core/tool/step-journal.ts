// Where the steps of a call are stored as they end, so that another process can go on with them. A place names a step,
// or an item of one: `each[3]`.
import type { Outcome } from "./call.ts";
import type { Failure } from "./failure.ts";

export interface StepJournal {
  /** The id of the run, which is that of the earlier process, too. */
  readonly run: string;
  /** Whether an earlier process began the run. */
  readonly isResumed: boolean;
  /** Whether a step that must not run twice began in an earlier process, which stored no end of it. */
  mayHaveRun(place: string): boolean;
  /** Returns how the step ended in an earlier process. Undefined if it has to run. */
  outcomeOf(place: string): Outcome | undefined;
  /** Stores that a step begins which must not run twice. Returns why it may not begin. */
  begin(place: string): Promise<Failure | undefined>;
  /** Stores how a step ended. Settles when it is on the disk. It never throws: a call does not fail for it. */
  end(place: string, outcome: Outcome): Promise<void>;
  /** Stores that cleanup begins, after which what the steps made may be gone. It never throws. */
  cleanUp(): Promise<void>;
}
