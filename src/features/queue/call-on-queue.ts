// Puts the calls of a batch into a queue, and waits for what workers answer.
import { BatchSender } from "./batch-sender.ts";
import { JOB_FORM, type QueueJob } from "./queue-job.ts";
import { portableHash } from "./portable-hash.ts";
import { unsentFailure } from "./unsent.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import type { Json } from "../../core/schema/json.ts";
import type { ToolCall } from "../../core/tool/call.ts";
import type { WorkQueue } from "../../core/tool/host-queues.ts";
import type { Terminal } from "../../core/tool/terminal.ts";
import { refused } from "../../cli/words/refused-words.ts";
import { isWrong, lineResult } from "./call-here.ts";
import { type DoneInputs, inputHash } from "./done-inputs.ts";
import type { InputLine } from "./input-lines.ts";
import { argumentsIn, type BatchTool } from "./line-arguments.ts";
import type { LineCaller, LineResult } from "./run-batch.ts";

export interface QueuedBatch extends BatchTool {
  readonly opened: OpenedSession;
  readonly queue: WorkQueue;
  readonly retriesMax: number;
  /** The parameter whose value stands for a line. */
  readonly key: string | undefined;
  /** The shortest time between two items. */
  readonly everyMs: number;
  readonly done: DoneInputs | undefined;
}

export interface QueuedCalls extends LineCaller {
  /** How many items have no answer. */
  open(): number;
  /** Why the server was given up. */
  failure(): string | undefined;
  end(): Promise<void>;
}

export async function callOnQueue(batch: QueuedBatch, { signal }: Terminal): Promise<QueuedCalls> {
  const { opened, queue, retriesMax, tool, name } = batch;
  const { session, host } = opened;
  const id = batch.done?.batch ?? host.randomId();
  const content = portableHash(tool, opened);
  const sender = await BatchSender.begin({
    queue,
    host,
    batch: id,
    isContinued: batch.done?.batch !== undefined,
    retriesMax,
  });
  let failure: string | undefined;
  let cancelling: Promise<void> | undefined;
  const cancel = (): void => void (cancelling ??= sender.cancel());
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  const pace = paced(batch, signal);
  const send = async (job: QueueJob, itemId: string): Promise<LineResult | undefined> => {
    await pace();
    try {
      const { answer, taken } = await sender.ask(itemId, { ...job });
      const { status, exitCode, durationMs, worker, shown } = answer;
      const facts = { status, exitCode, durationMs, batch: id, ...(worker === "" ? {} : { worker }) };
      return { status, isCancelled: false, shown: { ...facts, ...shown }, printed: taken };
    } catch (error) {
      if (!signal.aborted) failure ??= error instanceof Error ? error.message : String(error);
      return undefined;
    }
  };
  return {
    open: () => sender.open,
    failure: () => failure,
    end: async () => {
      signal.removeEventListener("abort", cancel);
      await cancelling;
      await sender.end();
    },
    inputOf: (line) => keyedInput(line, batch),
    call: async (line, input) => {
      const read = argumentsIn(line, batch);
      const call: ToolCall = { id: "", tool: name, arguments: read.arguments };
      if (isWrong(read)) return lineResult(await refused(call, read, session), tool, signal);
      const unsent = unsentFailure(read.arguments, tool);
      if (unsent)
        return lineResult({ status: "failed", content: [], failure: unsent, call, durationMs: 0 }, tool, signal);
      const place = batch.key === undefined ? `${line.number}` : "key";
      const job: QueueJob = { form: JOB_FORM, batch: id, tool: name, content, arguments: read.arguments };
      return send(job, host.sha256(`${id} ${place} ${input}`).slice(0, 32));
    },
  };
}

/** Lines with the same key are the same input, whatever else they say. */
function keyedInput(
  line: InputLine,
  batch: QueuedBatch,
): { readonly input: string; readonly key?: string | undefined } {
  const options = { ...batch, session: batch.opened.session };
  if (batch.key === undefined) return { input: inputHash(line.text, options) };
  const { arguments: args } = argumentsIn(line, batch);
  const value: Json | undefined = Object.hasOwn(args, batch.key) ? args[batch.key] : undefined;
  if (value === undefined) return { input: inputHash(line.text, options) };
  const key = typeof value === "string" ? value : JSON.stringify(value);
  return { input: inputHash(JSON.stringify([batch.key, value]), options), key };
}

/** Lets items go one after another, if they are not to come faster. */
function paced({ everyMs, opened: { host } }: QueuedBatch, signal: AbortSignal): () => Promise<void> {
  let nextMs = 0;
  return async () => {
    if (everyMs === 0) return;
    const now = host.nowMs();
    const atMs = Math.max(now, nextMs);
    nextMs = atMs + everyMs;
    if (atMs > now) await host.sleep(atMs - now, signal);
  };
}
