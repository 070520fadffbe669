// `tools/call`.
import type { Offer } from "./offered.ts";
import { callBelow, logUncalled, shownCall } from "../../core/run/call-tool.ts";
import { failureInApiNames } from "../../core/tool/api-name.ts";
import { failureText } from "../../core/run/failure-text.ts";
import { unknownTool } from "../../core/run/suggest.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import type { ToolCall } from "../../core/tool/call.ts";
import { forModels } from "../../core/text/hidden-characters.ts";
import { didYouMean } from "../../core/text/suggest.ts";
import { toCallResult } from "./call-content.ts";
import { CHECK_RUN, offersHandles } from "./background-after.ts";
import { checkRun, textOf, handleResult } from "./check-run.ts";
import { hasApp, RUNS_PAGE, SHOW_RUNS } from "./app-names.ts";
import { callSession } from "./call-session.ts";
import { type Begun, type Leave, Unanswered } from "./held-calls.ts";
import type { CallMoment } from "./moment.ts";
import { knowsTasks, type OpenRequest, showsPages } from "./open-request.ts";
import { type CallToolResult, errorCodes, invalidParams, missingCapability, ProtocolError } from "./protocol.ts";
import type { Served, SharedCalls } from "./served.ts";
import { contentOf } from "../../core/policy/content.ts";
import type { Session } from "../../core/run/session.ts";
import { changesTools, type PreparedCall, progressText, type ToolEvent } from "../../core/tool/tool.ts";
import type { LeftCall } from "./background-calls.ts";
import { TASKS_EXTENSION } from "./server-facts.ts";
import { createdTask } from "./task-methods.ts";
import { readsOn, readsOnName } from "../../core/tool/base-tool-names.ts";
import { knownPage, unknownCursor } from "./pages.ts";

export function callTool(request: OpenRequest, served: Served): Promise<JsonObject> {
  const { name, arguments: args } = request.params;
  // Many clients send `null` for no arguments. Others than an object are the gate's to refuse.
  return served.service.track(callByName(String(name), args ?? {}, { request, served }));
}

interface Calling {
  readonly request: OpenRequest;
  readonly served: Served;
}

async function callByName(name: string, args: unknown, calling: Calling): Promise<JsonObject> {
  const { request, served } = calling;
  const { service } = served;
  // The call runs against the current snapshot to its end.
  const offer = await service.offer();
  const { instead, find, session } = offer;
  if (session.guard) service.holdLog?.(session.guard.audit);
  if (name === CHECK_RUN && (await offersHandles(offer)))
    return checkRun(isJsonObject(args) ? args : {}, (await served.calls()).background, request.signal);
  if ((name === SHOW_RUNS || name === RUNS_PAGE) && offer.app && hasApp(offer) && showsPages(request))
    return (await import("./app.ts")).callAppTool(name, args as Json, { offer, page: await offer.app() });
  let wanted: Omit<WantedCall, "name"> = { tool: name, args };
  if (instead.size === 0) {
    if (!find(name)) return noSuchTool(name, args, offer);
  } else {
    const answer = await instead.get(name)?.answer(isJsonObject(args) ? args : {});
    if (!answer) throw invalidParams(`there is no tool \`${name}\`${didYouMean(name, instead.keys())}`);
    if ("text" in answer)
      return {
        content: [{ type: "text", text: forModels(answer.text) }],
        ...(answer.isError ? { isError: true } : {}),
      };
    wanted = { ...answer.call, args: answer.call.arguments };
  }
  const tool = find(wanted.tool);
  return service.changes.inTurn(tool !== undefined && changesTools(tool), () =>
    callTracked({ ...wanted, name, tool: tool?.definition.name.value ?? wanted.tool }, offer, calling),
  );
}

/**
 * Answers a call of an unknown tool with the call that fits, in the words of the gate. A broken definition is not the
 * client's mistake, so it is not an error of the protocol.
 */
async function noSuchTool(name: string, args: unknown, { session }: Offer): Promise<CallToolResult> {
  const call = { id: session.host.randomId(), tool: name, arguments: args };
  const unknown = await unknownTool(call, session);
  await logUncalled(call, unknown, session);
  const text = failureText(failureInApiNames(unknown), { audience: "model", tool: name });
  if (unknown.kind === "unknown-tool") throw invalidParams(text);
  return failedResult(text);
}

interface WantedCall {
  /** The name as the client writes it. */
  readonly name: string;
  readonly tool: string;
  readonly args: unknown;
  readonly named?: string;
}

async function callTracked(
  { name, tool, args, named }: WantedCall,
  offer: Offer,
  { request, served }: Calling,
): Promise<JsonObject> {
  const { session } = offer;
  const { service } = served;
  const { isModern } = request;
  const { held, background } = await served.calls();
  const moment = service.moment(offer);
  const call: ToolCall = { id: session.host.randomId(), tool, arguments: args };
  const isTask = (await moment.taskOnlyNames()).has(tool);
  const leaving = await leavingOf(call, offer, { background, knowsTasks: knowsTasks(request), moment, isTask });
  if (isTask && !leaving) return needsTasks(name, isModern);
  const work = async (begun: Begun<CallToolResult>): Promise<CallToolResult> => {
    let refused: ProtocolError | undefined;
    const own = callSession(session, {
      begun,
      request,
      service,
      callId: call.id,
      onRefused: (error) => void (refused = error),
    });
    const result = await callBelow([], call, {
      session: leaving?.watched(own) ?? own,
      signal: begun.held.signal,
      moment,
    });
    const isCrashed = result.status === "failed" && result.failure.kind === "crashed";
    // A tool that can do without an answer has caught the error. The earlier revisions do not know it.
    if (refused && isModern && isCrashed) throw refused;
    const shown = toCallResult(result, named);
    if (result.content.some((piece) => piece.type === "file" && piece.handle !== undefined)) service.noteCut();
    // The result of a task is what the tool says; that it broke is an error of the task.
    if (isCrashed && leaving?.hasLeft())
      throw new ProtocolError(errorCodes.internal, textOf(shown) ?? "the tool crashed");
    return shown;
  };
  try {
    return await held.run({ request, about: ["tools/call", name, tool, args] }, work, leaving?.leave);
  } catch (error) {
    // Many clients hide errors of the protocol from their model.
    if (error instanceof Unanswered) return failedResult(error.message);
    throw error;
  }
}

function failedResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** Refuses a call of a tool that no client has to wait for, if this one could only wait. */
function needsTasks(name: string, isModern: boolean): CallToolResult {
  const text = `\`${name}\` only runs as a task, which this client does not know`;
  if (isModern) throw missingCapability({ extensions: { [TASKS_EXTENSION]: {} } }, text);
  const help = "a person can set `mcp: {background_after: 30s}`, which gives a handle to such clients";
  return failedResult(`${text}; ${help}`);
}

// When a call goes on behind its request, and what its client gets then: a task, or a handle as text.

/** Most clients wait a minute for an answer, and show nothing meanwhile. */
const TASK_AFTER_MS_DEFAULT = 10_000;

interface Leaving {
  readonly leave: Leave<CallToolResult>;
  hasLeft(): boolean;
  /** Returns the session of the call, which is watched for what has to be stored. */
  watched(session: Session): Session;
}

interface LeavingOptions {
  readonly background: SharedCalls["background"];
  readonly knowsTasks: boolean;
  readonly moment: CallMoment;
  /** Whether it goes on behind its request from the start. */
  readonly isTask: boolean;
}

/** Returns undefined if the client has to wait for the result. */
async function leavingOf(
  call: ToolCall,
  { session, find }: Offer,
  { background, knowsTasks, moment, isTask }: LeavingOptions,
): Promise<Leaving | undefined> {
  const setMs = await moment.backgroundAfterMs();
  const afterMs = knowsTasks ? (setMs ?? TASK_AFTER_MS_DEFAULT) : find(CHECK_RUN) === undefined ? setMs : undefined;
  if (afterMs === undefined) return undefined;
  let hasLeft = false;
  let prepared: PreparedCall | undefined;
  let message: string | undefined;
  const startedAt = session.host.timestamp();
  const record = async (): Promise<LeftCall["record"]> => {
    const { arguments: args } = await shownCall(call, session);
    return {
      startedAt,
      tool: call.tool,
      arguments: isJsonObject(args) ? args : {},
      cwd: session.cwd,
      options: { toolFolders: [], result: "model" },
      content: prepared ? contentOf(prepared, session).parts : {},
      approvals: [],
      processId: session.host.shared.processId,
    };
  };
  return {
    hasLeft: () => hasLeft,
    watched: (own) => ({
      ...own,
      openJournal: (known) => {
        prepared = known;
        return undefined;
      },
      onEvent: (event) => {
        message = messageOf(event) ?? message;
        return own.onEvent?.(event);
      },
    }),
    leave: {
      afterMs: isTask ? 0 : afterMs,
      to: async (held) => {
        hasLeft = true;
        const handle = await background.leave({ held, record: await record(), lastMessage: () => message });
        const state = handle === undefined ? undefined : background.stateOf(handle);
        hasLeft = state !== undefined;
        if (handle === undefined || !state) return undefined;
        return knowsTasks ? createdTask(handle, state) : handleResult(handle, call.tool);
      },
    },
  };
}

function messageOf(event: ToolEvent): string | undefined {
  if (event.kind === "progress") return forModels(progressText(event));
  if (event.kind === "step" && event.state !== "waiting")
    return forModels(`${[...event.within, event.step].join(" > ")}: ${event.state}`);
  return undefined;
}

// `tools/list`.

export async function listTools(request: OpenRequest, { service }: Served): Promise<JsonObject> {
  const { cursor } = request.params;
  const offer = await service.offer();
  const showsApps = showsPages(request);
  const { instead, shown } = offer;
  const own = cursor === undefined ? await ownTools(offer, showsApps) : [];
  if (instead.size > 0)
    return cursor === undefined
      ? { tools: [...[...instead.values()].map((one) => one.shown), ...own] }
      : unknownCursor(cursor);
  const early = service.hasCut() ? undefined : offer.find(readsOnName);
  const names = early && readsOn(early) ? offer.names.filter((name) => name !== readsOnName) : offer.names;
  const { items, nextCursor } = knownPage(names, cursor);
  return {
    tools: [...(await shown(items)).map((one) => one.shown), ...own],
    ...(nextCursor === undefined ? {} : { nextCursor }),
  };
}

/** The tools that are not of a definition. */
async function ownTools(offer: Offer, showsApps: boolean): Promise<readonly JsonObject[]> {
  return [
    ...((await offersHandles(offer)) ? [(await import("./check-run.ts")).checkRunTool] : []),
    ...(showsApps && hasApp(offer) ? (await import("./app.ts")).appTools : []),
  ];
}
