// A step of a run that can be resumed: what it ended with is stored before the next step begins, and what an earlier
// process stored is not done again.
import type { Outcome } from "../tool/call.ts";
import type { Step } from "../tool/step.ts";
import type { PlannedStep, StepQueueItem } from "./plan.ts";
import type { Item } from "./run-values.ts";
import type { StepJournal } from "../tool/tool.ts";
import { ended } from "./step-events.ts";
import { recordOf } from "./step-record.ts";

export interface JournaledStep {
  readonly planned: PlannedStep;
  readonly item?: Item;
  /** Present for an item that workers make. */
  readonly queued?: StepQueueItem;
}

export function journalPlaceOf({ name }: Pick<Step, "name">, item: Item | undefined): string {
  return item ? `${name.value}[${item.index}]` : name.value;
}

export async function throughJournal(
  { planned, item, queued }: JournaledStep,
  journal: StepJournal | undefined,
  execute: () => Promise<Outcome>,
): Promise<Outcome> {
  if (!journal) return execute();
  const { step, isOnce } = planned;
  const place = journalPlaceOf(step, item);
  // The files that it made in the temporary folder are gone with the process that had it.
  const stored = isOnce || !usesTemporaryFolder(planned) ? journal.outcomeOf(place) : undefined;
  if (stored) return stored;
  // The queue knows of an item whether it may begin.
  const failure = isOnce && !(queued && journal.mayHaveRun(place)) ? await journal.begin(place) : undefined;
  if (failure) return { status: "failed", content: [], failure };
  const outcome = await execute();
  if (hasEnded(outcome, planned)) await journal.end(place, outcome);
  if (!planned.isSecret) {
    journal.written(place, () => {
      const { stdout, stderr } = recordOf(outcome, step.output.bytesMax);
      return `${ended(stdout)}${stderr}`;
    });
  }
  return outcome;
}

/** Whether the tool goes on behind it. */
function hasEnded(outcome: Outcome, { step }: PlannedStep): boolean {
  if (outcome.status === "ok") return true;
  return step.continuesOnError && outcome.failure.kind !== "cancelled" && outcome.failure.kind !== "crashed";
}

function usesTemporaryFolder({ references }: PlannedStep): boolean {
  return references.some(({ root }) => root === "TEMP_DIR");
}
