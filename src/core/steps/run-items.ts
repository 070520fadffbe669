// A step that runs once for each item of a list: here, or by workers on the user's queue.
import type { Json } from "../schema/json.ts";
import type { Outcome } from "../tool/call.ts";
import type { Failure } from "../tool/failure.ts";
import type { TraceSpan } from "../tool/span.ts";
import type { ToolContext } from "../tool/tool.ts";
import { Turns } from "../tool/turns.ts";
import { journalPlaceOf } from "./journaled-step.ts";
import { tooMuch } from "./output-limits.ts";
import type { PlannedStep, StepQueue, StepQueueItem } from "./plan.ts";
import type { Item } from "./run-values.ts";
import { emptyRecord, joinedRecord, type StepRecord } from "./step-record.ts";

const ITEMS_MAX = 10_000;

export interface StepEnd {
  readonly outcome: Outcome;
  readonly record: StepRecord;
}

export interface StepPart {
  readonly item?: Item;
  readonly span: TraceSpan | undefined;
  readonly queued?: StepQueueItem;
}

export interface RunItems {
  readonly context: ToolContext;
  readonly signal: AbortSignal;
  readonly span: TraceSpan | undefined;
  openQueue(context: ToolContext): Promise<StepQueue | { readonly failure: Failure }> | undefined;
  once(part: StepPart): Promise<StepEnd>;
  /** Is told how many items have ended. */
  tell(done: number): void;
}

export async function runItems(planned: PlannedStep, items: readonly Json[], run: RunItems): Promise<StepEnd> {
  if (items.length > ITEMS_MAX)
    return unable({ kind: "limit", limit: ITEMS_MAX, unit: "items in a step", help: ["pass a shorter list"] });
  if (!planned.step.forEach?.isQueued || items.length === 0) return allItems(planned, items, run);
  const queue = await run.openQueue({ ...run.context, signal: run.signal });
  if (!queue) throw new Error(`the tool of ${planned.step.name.value} was built without a queue`);
  if ("failure" in queue) return unable(queue.failure);
  try {
    return await allItems(planned, items, { ...run, once: (part) => onQueue(planned, { part, queue, run }) });
  } finally {
    await queue.end();
  }
}

interface OnQueue {
  readonly part: StepPart;
  readonly queue: StepQueue;
  readonly run: RunItems;
}

async function onQueue({ isOnce, step }: PlannedStep, { part, queue, run }: OnQueue): Promise<StepEnd> {
  const mayHaveRun = run.context.journal?.mayHaveRun(journalPlaceOf(step, part.item)) === true;
  const queued = queue.item(part.item?.index ?? 0, { isOnce: isOnce === true, mayHaveRun });
  const end = await run.once({ ...part, queued });
  queued.stored();
  return end;
}

async function allItems(planned: PlannedStep, items: readonly Json[], run: RunItems): Promise<StepEnd> {
  const { forEach, output, continuesOnError } = planned.step;
  const done: StepEnd[] = [];
  let count = 0;
  let hasFailed = false;
  let keptCharacters = 0;
  run.tell(0);
  const turns = new Turns(forEach?.concurrency ?? 1);
  await Promise.all(
    items.map(async (value, index) => {
      done[index] = unable({ kind: "cancelled" });
      await turns.take(run.signal, async () => {
        if (hasFailed && !continuesOnError) return;
        const own = run.span?.begin({ kind: "item", index });
        const end = (done[index] = await run.once({ item: { value, index }, span: own }));
        own?.end(end.outcome);
        keptCharacters += end.record.stdout.length;
        if (keptCharacters > output.bytesMax)
          done[index] =
            output.mode === "buffer" ? unable(tooMuch(planned)) : { ...end, record: { ...end.record, ...nothingKept } };
        hasFailed ||= done[index].outcome.status === "failed";
        run.tell(++count);
      });
    }),
  );
  const failed =
    done.find(({ outcome }) => outcome.status === "failed" && outcome.failure.kind !== "cancelled") ??
    done.find(({ outcome }) => outcome.status === "failed");
  const record = joinedRecord(done.map((one) => one.record));
  return { outcome: failed?.outcome ?? { status: "ok", content: [{ type: "text", text: record.output }] }, record };
}

const nothingKept = { output: "", stdout: "" } as const;

/** Returns the record of a step that failed before it had output. */
export function unable(failure: Failure): StepEnd {
  return { outcome: { status: "failed", content: [], failure }, record: emptyRecord };
}
