// The gate: the one way to call a tool. Every front end, step, plugin and nested call comes through here, so each call is
// checked, judged, limited and traced in one place.
import type { JsonObject } from "../schema/json.ts";
import type { Outcome, PreparedCall, ToolCall, ToolResult } from "../tool/call.ts";
import type { Failure } from "../tool/failure.ts";
import type { ToolContext } from "../tool/tool.ts";
import { judgeCall } from "./judge.ts";
import { CALL_DEPTH_MAX, limitsOf } from "./limits.ts";
import { prepareCall } from "./prepare.ts";
import type { Session } from "./session.ts";

/** Never throws: whatever happens is in the result. */
export async function callTool(call: ToolCall, session: Session, signal: AbortSignal): Promise<ToolResult> {
  return callBelow(call, session, { signal, path: [] });
}

interface Above {
  readonly signal: AbortSignal;
  /** The tools that led here, outermost first. */
  readonly path: readonly string[];
}

async function callBelow(call: ToolCall, session: Session, above: Above): Promise<ToolResult> {
  const startedMs = session.host.nowMs();
  const outcome = await outcomeOf(call, session, above);
  const durationMs = Math.round((session.host.nowMs() - startedMs) * 1000) / 1000;
  // A nested result feeds a tool, which needs the whole text; only what leaves for a model is cut.
  if (session.audience === "person" || above.path.length > 0) return { ...outcome, call, durationMs };
  const { fitToBudget, modelBudget } = await import("./budget.ts");
  return { ...outcome, content: await fitToBudget(outcome.content, modelBudget, session.host), call, durationMs };
}

async function outcomeOf(call: ToolCall, session: Session, above: Above): Promise<Outcome> {
  try {
    if (above.signal.aborted) return failed({ kind: "cancelled" });
    if (above.path.length >= CALL_DEPTH_MAX) return failed({ kind: "too-deep", path: [...above.path, call.tool], depthMax: CALL_DEPTH_MAX });
    const step = await prepareCall(call, session);
    if ("failure" in step) return failed(step.failure);
    const verdict = judgeCall(step.prepared, session.policy);
    const isAllowed = verdict.decision === "allow" || (verdict.decision === "ask" && (await session.approver.ask(step.prepared, verdict)));
    if (!isAllowed) return failed({ kind: "denied", tool: call.tool, verdict });
    return await execute(step.prepared, session, above);
  } catch (error) {
    return failed({ kind: "crashed", tool: call.tool, error: error instanceof Error ? error : new Error(String(error)) });
  }
}

/** Runs the tool under its deadline. A tool that ignores the signal is left behind: the caller has its answer in time. */
async function execute(prepared: PreparedCall, session: Session, above: Above): Promise<Outcome> {
  const limits = limitsOf(prepared.tool.definition.limits, prepared.tool.askedTimeoutMs?.(prepared.arguments));
  const done = new AbortController();
  const deadline = new AbortController();
  const signal = AbortSignal.any([above.signal, deadline.signal]);
  const late = session.host.sleep(limits.timeoutMs, done.signal).then(() => {
    if (!done.signal.aborted) deadline.abort();
  });
  const path = [...above.path, prepared.call.tool];
  let nested = 0;
  const context: ToolContext = {
    cwd: session.cwd,
    signal,
    host: session.host,
    path,
    limits,
    setting: session.setting,
    memory: session.memory,
    ...(session.person ? { person: session.person } : {}),
    invoke: (tool: string, args: JsonObject) => callBelow({ id: `${prepared.call.id}.${++nested}`, tool, arguments: args }, session, { signal, path }),
    emit: (event) => (above.path.length === 0 ? session.onEvent?.(event) : undefined),
  };
  try {
    const outcome = await Promise.race([prepared.tool.execute(prepared.arguments, context), abandonedAfter(signal, done.signal, session)]);
    if (outcome.status === "ok" || outcome.failure.kind !== "cancelled") return outcome;
    // The tool saw its signal abort; whose doing that was, only the gate knows.
    return above.signal.aborted || !deadline.signal.aborted ? outcome : { ...outcome, failure: { kind: "timeout", limitMs: limits.timeoutMs } };
  } finally {
    done.abort();
    await late;
  }
}

/** Longer than a process takes to die: TERM, 2 s, KILL, sweep. */
const ABANDON_MS = 5_000;

function abandonedAfter(signal: AbortSignal, done: AbortSignal, session: Session): Promise<Outcome> {
  return new Promise((resolve) => {
    const abandon = (): void => {
      void session.host.sleep(ABANDON_MS, done).then(() => resolve(failed({ kind: "cancelled" })));
    };
    if (signal.aborted) abandon();
    // A signal made of others lives for as long as somebody listens to it.
    else signal.addEventListener("abort", abandon, { once: true, signal: done });
  });
}

function failed(failure: Failure): Outcome {
  return { status: "failed", content: [], failure };
}
