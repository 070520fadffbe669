// What a worker does with an item of a queue: it makes the call if the tool is the same here as at the caller, and is
// trusted and allowed here; everything else it refuses by name.
import { callTool } from "../../core/run/call-tool.ts";
import type { Session } from "../../core/run/session.ts";
import { portableHash } from "./portable-hash.ts";
import { ANSWER_BYTES_MAX, answerText, type QueueJob, readJob } from "./queue-job.ts";
import { hasOnce } from "../../core/builder/once-steps.ts";
import { type ProcessReport, outputTextOf, type ToolResult } from "../../core/tool/call.ts";
import { isJsonObject, type JsonObject } from "../../core/schema/json.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { HandledItem, TakenItem } from "../../core/tool/host-queues.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { shownResult } from "./call-here.ts";

export interface ItemWorker {
  /** The name of this process in answers. */
  readonly name: string;
  /** The tools that it serves. Empty: every one. */
  readonly only: ReadonlySet<string>;
  /** The present session: definitions may change while it works. */
  session(): Session;
  /** Aborts when the worker ends. */
  readonly ending: AbortSignal;
  /** Set in a process that makes one item. */
  readonly isAlone?: true;
}

const SHOWN_HASH = 12;
const REASON_MAX = 500;
/** How often a call goes to another worker after its process was killed from outside. */
const KILLED_MAX = 2;
/** After so many lost workers an item gets a process of its own. */
const LOST_MAX = 2;
/** An item that ends its workers although it has one ends here. */
const BEGUN_MAX = 20;

export async function handleItem(item: TakenItem, worker: ItemWorker, signal: AbortSignal): Promise<HandledItem> {
  const session = worker.session();
  const job = readJob(item.data);
  if ("problem" in job) {
    const failure: Failure = {
      kind: "rejected",
      reason: `\`${worker.name}\` does not run this item, because it ${job.problem}`,
      help: ["make batches and workers with the same version of dottool"],
    };
    return answered(failedResult(failure, "item", {}), undefined, { worker, mayRetry: false });
  }
  const checked = await checkedTool(job, item, { worker, session });
  if ("failure" in checked)
    return answered(failedResult(checked.failure, job.tool, job.arguments), undefined, { worker, mayRetry: false });
  const { tool } = checked;
  if (item.begun >= LOST_MAX && !worker.isAlone) return handledAlone(item, job, { worker, signal });
  const isOnce = job.isOnce === true || hasOnce(tool);
  const result = await calledInTurn(job, { session, signal });
  // What this worker's end has interrupted is another one's, and so is what a machine without memory has killed.
  const isKilled = result.status === "failed" && wasKilled(result.failure) && item.begun < KILLED_MAX && !isOnce;
  if (result.status === "failed" && (worker.ending.aborted || isKilled)) return { kind: "put-back" };
  // Whatever it said when it was stopped, its caller has to know that it was.
  if (result.status === "failed" && signal.aborted)
    return answered({ ...result, failure: { kind: "cancelled" } }, tool, { worker, mayRetry: false });
  const streams = job.isOfStep && result.process ? streamsOf(result.process) : {};
  return answered(result, tool, { worker, mayRetry: !isOnce, streams });
}

interface Handling {
  readonly worker: ItemWorker;
  readonly signal: AbortSignal;
}

async function handledAlone(item: TakenItem, job: QueueJob, { worker, signal }: Handling): Promise<HandledItem> {
  const handled =
    item.begun < BEGUN_MAX
      ? await (await import("./lone-item.ts")).madeAlone({ ...item, name: worker.name }, signal)
      : undefined;
  if (worker.ending.aborted) return handled?.kind === "answered" ? handled : { kind: "put-back" };
  if (handled?.kind === "put-back" && !signal.aborted) return handled;
  if (handled && handled.kind !== "put-back") return handled;
  const failure: Failure = signal.aborted
    ? { kind: "cancelled" }
    : {
        kind: "rejected",
        reason: "every worker that began this item was killed or lost, so it is not tried again",
        help: ["try the call alone, in a place that may crash: `dottool NAME …`"],
      };
  return answered(failedResult(failure, job.tool, job.arguments), undefined, { worker, mayRetry: false });
}

interface Checking {
  readonly worker: ItemWorker;
  readonly session: Session;
}

async function checkedTool(
  { tool: name, content, isAgain, isOnce }: QueueJob,
  { begun }: TakenItem,
  { worker, session }: Checking,
): Promise<{ readonly tool: Tool } | { readonly failure: Failure }> {
  const unavailable = (reason: string, ...help: readonly string[]): { readonly failure: Failure } => ({
    failure: { kind: "unavailable", tool: name, reasons: [`the worker \`${worker.name}\` ${reason}`], help },
  });
  if (worker.only.size > 0 && !worker.only.has(name))
    return unavailable(
      `serves ${[...worker.only].map((one) => `\`${one}\``).join(", ")} alone`,
      "give these tools a queue of their own, such as another number behind the host",
    );
  const tool = await session.registry.resolve(name);
  if (!tool) {
    const failure = await session.broken?.(name);
    return failure ? { failure } : unavailable("has no such tool", "install the tool on every machine of the queue");
  }
  const untrusted = await session.distrust?.(name);
  if (untrusted) return { failure: untrusted };
  const own = portableHash(tool, session);
  if (own !== content)
    return unavailable(
      `has another version of it: ${own.slice(0, SHOWN_HASH)}, and the batch was made with ${content.slice(0, SHOWN_HASH)}`,
      "install the same definition, scripts and dottool on every machine of the queue",
    );
  if ((begun > 0 || isAgain) && (isOnce || hasOnce(tool)))
    return {
      failure: {
        kind: "rejected",
        reason: `${isOnce ? `this call of \`${name}\`` : `\`${name}\` has a step that`} must not run twice, and this item may have run: a worker began it and was lost`,
        help: ["find out whether it was done; if not, send the line again"],
      },
    };
  return { tool };
}

/** A rate limit of the tool delays its calls; every worker of a user on a machine counts them together. */
async function calledInTurn(
  { tool, arguments: args }: QueueJob,
  { session, signal }: { readonly session: Session; readonly signal: AbortSignal },
): Promise<ToolResult> {
  for (;;) {
    const result = await callTool({ id: session.host.randomId(), tool, arguments: args }, session, signal);
    if (result.status === "ok" || result.failure.kind !== "too-often" || signal.aborted) return result;
    await session.host.sleep(Math.max(result.failure.waitMs, 1), signal);
  }
}

function failedResult(failure: Failure, tool: string, args: QueueJob["arguments"]): ToolResult {
  return { status: "failed", content: [], failure, call: { id: "", tool, arguments: args }, durationMs: 0 };
}

interface Answering {
  readonly worker: ItemWorker;
  readonly mayRetry: boolean;
  readonly streams?: JsonObject;
}

/** The content is standard output if there is no standard error. */
function streamsOf(process: ProcessReport): JsonObject {
  const stderr = outputTextOf(process, "stderr");
  return stderr === "" ? {} : { streams: { stdout: outputTextOf(process, "stdout"), stderr } };
}

async function answered(
  result: ToolResult,
  tool: Tool | undefined,
  { worker, mayRetry, streams }: Answering,
): Promise<HandledItem> {
  const { status } = result;
  const { shown, ...facts } = await shownResult(result, tool);
  const text = answerText({ status, worker: worker.name, ...facts, shown: { ...shown, ...streams } });
  if (text.length > ANSWER_BYTES_MAX) {
    const failure: Failure = {
      kind: "limit",
      limit: ANSWER_BYTES_MAX,
      unit: "characters of a result in a queue",
      help: ["let the tool write what is long to a file, and print its path"],
    };
    return answered({ ...result, status: "failed", content: [], failure }, tool, { worker, mayRetry: false });
  }
  if (result.status === "ok") return { kind: "answered", text };
  const { kind } = result.failure;
  const [reason = kind] = messageOf(shown).split("\n");
  return {
    kind: "failed",
    text,
    reason: reason.slice(0, REASON_MAX),
    mayRetry: mayRetry && mayPass(result.failure),
    isDead: kind !== "cancelled",
  };
}

/** Without secrets: it is what the answer says. */
function messageOf({ failure }: JsonObject): string {
  return isJsonObject(failure) && typeof failure["message"] === "string" ? failure["message"] : "";
}

const passing: ReadonlySet<Failure["kind"]> = new Set<Failure["kind"]>([
  "exit",
  "timeout",
  "network",
  "busy",
  "crashed",
  "code-failed",
  "not-started",
  "file",
]);

function wasKilled(failure: Failure): boolean {
  if (failure.kind === "step-failed") return wasKilled(failure.cause);
  return failure.kind === "exit" && failure.signalName === "SIGKILL";
}

/** Whether another attempt may succeed. */
function mayPass(failure: Failure): boolean {
  return failure.kind === "step-failed" ? mayPass(failure.cause) : passing.has(failure.kind);
}
