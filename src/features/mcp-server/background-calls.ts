// Calls that go on behind their requests. Each is a run in the store, so its result can be read after this server has
// ended, or by another server with the same state folder. A client knows it by a handle: its id and a key.
import { beginRun, type OpenRun } from "../runs/open-run.ts";
import { pruneByDefault } from "../runs/prune.ts";
import { newRunId, readRun, type Run, type RunEnd, type RunRecord, runFile } from "../runs/run-record.ts";
import { readCheckedJson, withChecksum } from "../../core/store/checked-file.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import type { HeldCall } from "./held-calls.ts";
import { type CallToolResult, errorCodes, faultOf, type InputRequests } from "./protocol.ts";

/** `ended`: how, as the protocol says it. Both texts are for the client. */
export type BackgroundState = {
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly tool: string;
} & (
  | { readonly kind: "working"; readonly message?: string }
  | { readonly kind: "asking"; readonly asks: InputRequests }
  | { readonly kind: "cancelled" }
  | { readonly kind: "completed"; readonly result: CallToolResult }
  | { readonly kind: "failed"; readonly error: { readonly code: number; readonly message: string } }
);

export interface LeftCall {
  readonly held: HeldCall<CallToolResult>;
  readonly record: Omit<RunRecord, "id" | "served">;
  /** Returns what it has said of its progress. */
  lastMessage(): string | undefined;
}

export interface BackgroundCalls {
  /** Stores a call and returns its handle; undefined if it cannot be stored. */
  leave(call: LeftCall): Promise<string | undefined>;
  /** Returns undefined for an unknown handle. */
  stateOf(handle: string): BackgroundState | undefined;
  /** Returns false for an unknown handle. */
  cancel(handle: string): Promise<boolean>;
  /** Returns false if the call does not run in this process. */
  answer(handle: string, answers: Readonly<Record<string, unknown>>): boolean;
  /** Settles when the call has ended, or the time is over. */
  whenEnded(handle: string, msMax: number, signal: AbortSignal): Promise<void>;
  /** Cancels all of them, and settles when their ends are stored. */
  endAll(): Promise<void>;
}

interface Entry extends LeftCall {
  isCancelled: boolean;
  updatedAt: string;
  readonly ended: Promise<void>;
}

const RESULT_FORMAT = { name: "run-result", version: 1 };
const RESULT_BYTES_MAX = 64 * 1024 * 1024;
/** The time between two looks for a cancel by another process. */
const LOOK_MS = 500;
const HANDLE = /^(\d{8}-\d{6}-[0-9a-f]{6})-([0-9a-f]{32})$/;

type Ended =
  | { readonly result: CallToolResult }
  | { readonly error: { readonly code: number; readonly message: string } };

export function openBackgroundCalls(host: Host): BackgroundCalls {
  const running = new Map<string, Entry>();
  const known = (handle: string): Run | undefined => {
    const [, id, key] = HANDLE.exec(handle) ?? [];
    const read = id === undefined ? undefined : readRun(id, host);
    return read && "run" in read && key !== undefined && read.run.record.served?.key === key ? read.run : undefined;
  };
  const follow = async (id: string, call: LeftCall, run: OpenRun): Promise<void> => {
    const startedMs = host.nowMs();
    const watching = new AbortController();
    const entry = running.get(id);
    watchForCancel(id, () => cancel(entry), { host, signal: watching.signal }).catch(() => undefined);
    const ended = await outcomeOf(call.held.done);
    watching.abort();
    try {
      await host.files.write(runFile(id, "result.json", host), withChecksum(RESULT_FORMAT, JSON.stringify(ended)), {
        mode: 0o600,
      });
      await run.end({
        ...endOf(ended, entry?.isCancelled === true),
        endedAt: host.timestamp(),
        durationMs: Math.round(host.nowMs() - startedMs),
      });
    } catch (error) {
      // What cannot be stored is lost with this process, which the store then says.
      if (codeOf(error) === undefined) throw error;
    }
    run.close();
    running.delete(id);
    await pruneByDefault(host).catch(() => undefined);
  };
  return {
    leave: async (call) => {
      const id = newRunId(host);
      const key = host.randomId();
      try {
        const run = await beginRun({ ...call.record, id, served: { key } }, host);
        if (!run) return undefined;
        let start = (): void => undefined;
        const ended = new Promise<void>((resolve) => void (start = resolve)).then(() => follow(id, call, run));
        ended.catch(() => undefined);
        running.set(id, { ...call, isCancelled: false, updatedAt: host.timestamp(), ended });
        start();
        return `${id}-${key}`;
      } catch (error) {
        if (codeOf(error) === undefined) throw error;
        return undefined;
      }
    },
    stateOf: (handle) => {
      const run = known(handle);
      return run && stateOfRun(run, running.get(run.record.id), host);
    },
    cancel: async (handle) => {
      const run = known(handle);
      if (!run) return false;
      const entry = running.get(run.record.id);
      if (entry) cancel(entry);
      else if (run.state === "running")
        await host.files.append(runFile(run.record.id, "cancel", host), "\n", { mode: 0o600 });
      return true;
    },
    answer: (handle, answers) => {
      const run = known(handle);
      const entry = run && running.get(run.record.id);
      entry?.held.answer(answers);
      return entry !== undefined;
    },
    whenEnded: async (handle, msMax, signal) => {
      const untilMs = host.nowMs() + msMax;
      for (;;) {
        const run = known(handle);
        const leftMs = untilMs - host.nowMs();
        if (run?.state !== "running" || leftMs <= 0 || signal.aborted) return;
        const waiting = new AbortController();
        const ended = running.get(run.record.id)?.ended.catch(() => undefined);
        const slept = host.sleep(Math.min(LOOK_MS, leftMs), AbortSignal.any([signal, waiting.signal]));
        await Promise.race([slept, ...(ended ? [ended] : [])]);
        waiting.abort();
      }
    },
    endAll: async () => {
      const entries = [...running.values()];
      entries.forEach(cancel);
      await Promise.allSettled(entries.map(({ ended }) => ended));
    },
  };
}

function cancel(entry: Entry | undefined): void {
  if (!entry) return;
  entry.isCancelled = true;
  entry.held.abandon();
}

async function watchForCancel(
  id: string,
  onCancel: () => void,
  { host, signal }: { readonly host: Host; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    await host.sleep(LOOK_MS, signal);
    if (!signal.aborted && host.instant.stat(runFile(id, "cancel", host))) return onCancel();
  }
}

async function outcomeOf(done: Promise<CallToolResult>): Promise<Ended> {
  try {
    return { result: await done };
  } catch (error) {
    const { code, message } = faultOf(error);
    return { error: { code, message } };
  }
}

function endOf(ended: Ended, isCancelled: boolean): Pick<RunEnd, "status" | "exitCode" | "message"> {
  if (isCancelled) return { status: "cancelled", exitCode: 130 };
  if ("error" in ended) return { status: "failed", exitCode: 70, message: ended.error.message };
  const { isError, content } = ended.result;
  const [text] = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return isError
    ? { status: "failed", exitCode: 1, ...(text === undefined ? {} : { message: text }) }
    : { status: "done", exitCode: 0 };
}

function stateOfRun({ record, state, end }: Run, entry: Entry | undefined, host: Host): BackgroundState {
  const facts = { startedAt: record.startedAt, updatedAt: end?.endedAt ?? record.startedAt, tool: record.tool };
  if (state === "cancelled") return { ...facts, kind: "cancelled" };
  if (state === "running") {
    if (entry && Object.keys(entry.held.asks).length > 0) return { ...facts, kind: "asking", asks: entry.held.asks };
    const message = entry?.lastMessage();
    return { ...facts, kind: "working", ...(message === undefined ? {} : { message }) };
  }
  const stored = readCheckedJson(runFile(record.id, "result.json", host), {
    host,
    format: RESULT_FORMAT,
    bytesMax: RESULT_BYTES_MAX,
  }) as Ended | undefined;
  if (stored && state !== "lost")
    return "result" in stored
      ? { ...facts, kind: "completed", result: stored.result }
      : { ...facts, kind: "failed", error: stored.error };
  const message = "the call ended without a result: its server was killed, or the machine stopped";
  return { ...facts, kind: "failed", error: { code: errorCodes.internal, message } };
}
