// The items of a step `[on=queue]`: each is a call of the step's tool that the gate has judged here, put into the user's
// queue in place of its execution. In a run that can be resumed the ids of items are the same each time, so that an
// item that still waits, runs or has an answer there is not made again.
import { portableHash } from "./portable-hash.ts";
import { secretValues } from "../../core/schema/secrets.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import type { Parameter } from "../../core/schema/parameter.ts";
import type { StepQueue, StepQueueItem } from "../../core/steps/plan.ts";
import type { Outcome } from "../../core/tool/call.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { WorkQueue } from "../../core/tool/host-queues.ts";
import type { Step } from "../../core/tool/step.ts";
import type { Tool, ToolContext } from "../../core/tool/tool.ts";
import { outcomeOfAnswer } from "./answer-outcome.ts";
import { BatchSender } from "./batch-sender.ts";
import { JOB_FORM, type QueueJob } from "./queue-job.ts";
import { unsentFailure } from "./unsent.ts";

/** How long nothing is answered before the workers are counted. */
const HINT_MS = 5_000;
const ID_DIGITS = 32;
/** Shorter secrets of the calling tool are found in too much, as where they are masked. */
const SECRET_MIN = 4;

/** The tool whose step it is. */
interface Caller {
  readonly arguments: JsonObject;
  readonly parameters: readonly Parameter[];
}

export async function openStepQueue(
  { name: { value: name } }: Step,
  caller: Caller,
  context: ToolContext,
): Promise<StepQueue | { readonly failure: Failure }> {
  const { host, journal, signal } = context;
  const warn = (text: string): void => void context.emit({ kind: "log", level: "warning", text: `${name}: ${text}` });
  const queue = await openConfigured(name, context, warn);
  if ("failure" in queue) return queue;
  const batch = journal ? host.sha256(`${journal.run} ${name}`).slice(0, ID_DIGITS) : host.randomId();
  let sender: BatchSender;
  try {
    const isContinued = journal?.isResumed === true;
    sender = await BatchSender.begin({ queue, host, batch, isContinued, retriesMax: 0 });
  } catch (error) {
    await queue.close();
    return { failure: lost(queue, error) };
  }
  let cancelling: Promise<void> | undefined;
  const cancel = (): void => void (cancelling ??= sender.cancel());
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  const ended = new AbortController();
  hintAtWorkers(queue, sender, { host, warn, signal: ended.signal });
  const hidden = secretValues(caller.arguments, caller.parameters).filter(({ length }) => length >= SECRET_MIN);
  return {
    item: (index, options) => stepItem({ index, ...options, name, batch, queue, sender, hidden }),
    end: async () => {
      ended.abort();
      signal.removeEventListener("abort", cancel);
      await cancelling;
      await sender.end().catch(() => undefined);
      await queue.close();
    },
  };
}

async function openConfigured(
  step: string,
  { host, setting }: ToolContext,
  onTrouble: (text: string) => void,
): Promise<WorkQueue | { readonly failure: Failure }> {
  const address = (await setting("queue.address")) ?? "";
  const unavailable = (reason: string, help: readonly string[]): { readonly failure: Failure } => ({
    failure: { kind: "unavailable", tool: step, reasons: [reason], help },
  });
  // Its tool was not available without one when the call began.
  if (address === "") return unavailable(`the queue of \`${step}\` is not set any more`, ["set DOTTOOL_QUEUE again"]);
  const opened = await (await host.queues()).open(address, { onTrouble });
  return "queue" in opened ? opened.queue : unavailable(opened.problem, opened.help);
}

function lost({ shownAddress }: WorkQueue, error: unknown): Failure {
  return {
    kind: "network",
    url: shownAddress,
    reason: error instanceof Error ? error.message : String(error),
    help: ["when the server of the queue is back, `dottool runs resume` goes on"],
  };
}

interface Hinting {
  readonly host: ToolContext["host"];
  readonly signal: AbortSignal;
  warn(text: string): void;
}

/** Says once that nobody takes the items. */
function hintAtWorkers(queue: WorkQueue, sender: BatchSender, { host, signal, warn }: Hinting): void {
  const watch = async (): Promise<void> => {
    await host.sleep(HINT_MS, signal);
    if (signal.aborted || sender.open === 0 || sender.answered > 0) return;
    const { workers } = await queue.counts();
    if (workers === 0 && !signal.aborted)
      warn(`no worker listens to this queue; start one: \`dottool worker --queue ${queue.shownAddress}\``);
  };
  watch().catch(() => undefined);
}

interface ItemParts {
  readonly index: number;
  readonly isOnce: boolean;
  readonly mayHaveRun: boolean;
  readonly name: string;
  readonly batch: string;
  readonly queue: WorkQueue;
  readonly sender: BatchSender;
  readonly hidden: readonly string[];
}

function stepItem(parts: ItemParts): StepQueueItem {
  const taken: (() => void)[] = [];
  let attempts = 0;
  return {
    queued: (tool) => ({
      ...tool,
      // Its own time limit holds at the worker, and waiting for one takes as long as it takes.
      longestMs: () => Number.POSITIVE_INFINITY,
      execute: (args, context) => sent(args, { ...parts, tool, context, attempt: attempts++, taken }),
    }),
    stored: () => {
      for (const one of taken.splice(0)) one();
    },
  };
}

interface Sending extends ItemParts {
  readonly tool: Tool;
  readonly context: ToolContext;
  readonly attempt: number;
  readonly taken: (() => void)[];
}

async function sent(args: JsonObject, sending: Sending): Promise<Outcome> {
  const { context, tool, sender, batch, index, attempt, isOnce, queue } = sending;
  const { signal, host } = context;
  const failed = (failure: Failure): Outcome => ({ status: "failed", content: [], failure });
  const unsent = unsentFailure(args, tool, sending.hidden);
  if (unsent) return failed(unsent);
  const job: QueueJob = {
    form: JOB_FORM,
    batch,
    tool: tool.definition.name.value,
    content: portableHash(tool, context),
    arguments: args,
    isOfStep: true,
    ...(isOnce ? { isOnce } : {}),
  };
  const id = host.sha256(`${index} ${attempt} ${JSON.stringify(job)}`).slice(0, ID_DIGITS);
  const drop = (): void => sender.drop(id);
  try {
    if (sending.mayHaveRun && !(await sender.isThere(id))) return failed(unknownItem(sending));
    signal.addEventListener("abort", drop, { once: true });
    if (signal.aborted) return failed({ kind: "cancelled" });
    const { answer, taken } = await sender.ask(id, { ...job }, sending.mayHaveRun);
    sending.taken.push(taken);
    return outcomeOfAnswer(answer);
  } catch (error) {
    return failed(signal.aborted ? { kind: "cancelled" } : lost(queue, error));
  } finally {
    signal.removeEventListener("abort", drop);
  }
}

function unknownItem({ name, index }: ItemParts): Failure {
  return {
    kind: "rejected",
    reason: `\`${name}[${index}]\` must not run twice, and may have run: it began, and the queue has no answer of it`,
    help: [
      "find out whether that was done",
      `if it was not, \`dottool runs resume\` with \`--from ${name}\` runs the step again, and with the step behind it goes on`,
    ],
  };
}
