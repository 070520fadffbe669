// Has a tool called for each line of standard input, a number of them at a time, and prints each result as a line of
// JSON.
import type { JsonObject } from "../../core/schema/json.ts";
import type { Terminal } from "../../core/tool/terminal.ts";
import { Turns } from "../../core/tool/turns.ts";
import { jsonLine } from "../../cli/view/json-text.ts";
import type { DoneInputs } from "./done-inputs.ts";
import { type InputLine, inputLines } from "./input-lines.ts";

/** How the calls are made: here, or by workers. */
export interface LineCaller {
  /** The hash of the input, and the key that stands for it if the caller chose one. */
  inputOf(line: InputLine): { readonly input: string; readonly key?: string | undefined };
  /** Returns undefined if the call was not made or its end is not known, because the batch ends. */
  call(line: InputLine, input: string): Promise<LineResult | undefined>;
}

export interface LineResult {
  readonly status: "ok" | "failed";
  readonly isCancelled: boolean;
  /** What the line of the result has behind `line` and `input`. */
  readonly shown: JsonObject;
  /** Called when the line is printed. */
  printed?(): void;
}

export interface RunBatch {
  readonly caller: LineCaller;
  readonly parallel: number;
  readonly isInOrder: boolean;
  /** Begin no more calls once so many have failed: a number, or a part such as `50%`. */
  readonly stopAfter?: string | undefined;
  /** What is left out. */
  readonly done?: DoneInputs | undefined;
  /** Is told after each result. */
  onCounts?(counts: BatchCounts): void;
}

/** The limit of results that wait for an earlier one, and of calls that have begun. */
const AHEAD_MAX = 256;

export interface BatchCounts {
  readonly ok: number;
  readonly failed: number;
  /** The calls that the end of the program has cancelled. */
  readonly cancelled: number;
  readonly leftOut: number;
  /** The lines whose key an earlier line has. */
  readonly repeated: number;
  /** Whether `stopAfter` has ended it. */
  readonly isStopped: boolean;
}

/** Of fewer results, no part says how a batch goes. */
export const STOP_ENDED_MIN = 10;

function isEnough({ ok, failed }: BatchCounts, stopAfter: string): boolean {
  const most = Number.parseInt(stopAfter, 10);
  if (!stopAfter.endsWith("%")) return failed >= most;
  return ok + failed >= STOP_ENDED_MIN && failed * 100 >= (ok + failed) * most;
}

/** Ends when every call has been answered, or without reading on when the program is to end. */
export async function runBatch(batch: RunBatch, terminal: Terminal): Promise<BatchCounts> {
  const { parallel, isInOrder, done, caller } = batch;
  const counts = { ok: 0, failed: 0, cancelled: 0, leftOut: 0, repeated: 0, isStopped: false };
  const turns = new Turns(parallel);
  const printing = new Set<Promise<void>>();
  const keys = new Set<string>();
  let before: Promise<void> = Promise.resolve();
  for await (const line of inputLines(terminal)) {
    const { input, key } = caller.inputOf(line);
    if (key !== undefined && keys.has(input)) {
      counts.repeated++;
      continue;
    }
    if (key !== undefined) keys.add(input);
    if (takeOne(done, input)) {
      counts.leftOut++;
      continue;
    }
    if (!(await turns.enter(terminal.signal))) break;
    if (batch.stopAfter !== undefined && isEnough(counts, batch.stopAfter)) {
      counts.isStopped = true;
      break;
    }
    // Counted before the next call gets the place.
    const called = caller
      .call(line, input)
      .then((result) => {
        counts[!result || result.isCancelled ? "cancelled" : result.status]++;
        return result;
      })
      .finally(() => turns.leave());
    const print = async (earlier: Promise<void>): Promise<void> => {
      const result = await called;
      await earlier;
      batch.onCounts?.(counts);
      if (!result) return;
      const head = { line: line.number, input, ...(key === undefined ? {} : { key }) };
      await terminal.output.write(`${jsonLine({ ...head, ...result.shown })}\n`);
      result.printed?.();
    };
    before = print(isInOrder ? before : Promise.resolve());
    const one = before.finally(() => printing.delete(one));
    printing.add(one);
    if (printing.size > parallel + AHEAD_MAX) await (isInOrder ? [...printing][0] : Promise.race(printing));
  }
  await Promise.all(printing);
  return counts;
}

function takeOne(done: DoneInputs | undefined, input: string): boolean {
  const left = done?.succeeded.get(input) ?? 0;
  if (left > 0) done?.succeeded.set(input, left - 1);
  return left > 0;
}
