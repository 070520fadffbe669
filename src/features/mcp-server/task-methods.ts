// Tasks of MCP (SEP-2663): a call that takes long is answered with a task, and its client asks for the result later.
import {
  type CallToolResult,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { KEPT_MS_MIN } from "../runs/prune.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import type { BackgroundCalls, BackgroundState } from "./background-calls.ts";
import { isModern, knowsTasks } from "./client-of.ts";
import { TASKS_EXTENSION } from "./server-facts.ts";

const POLL_MS = 1_000;

export function addTaskMethods(server: Server, calls: BackgroundCalls): void {
  const add = (method: string, answer: (taskId: string, context: ServerContext) => Promise<JsonObject>): void =>
    server.setRequestHandler(method, { params: anyObject }, async (params, context: ServerContext) => {
      if (!isModern(server))
        throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `there is no method \`${method}\``);
      if (!knowsTasks(server, context))
        throw new MissingRequiredClientCapabilityError(
          { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
          `\`${method}\` needs the extension \`${TASKS_EXTENSION}\``,
        );
      const { taskId } = params;
      return (await answer(typeof taskId === "string" ? taskId : "", context)) as Record<string, unknown>;
    });
  add("tasks/get", async (taskId) => {
    const state = calls.stateOf(taskId);
    return state ? detailedTask(taskId, state) : noTask(taskId);
  });
  add("tasks/cancel", async (taskId) => ((await calls.cancel(taskId)) ? {} : noTask(taskId)));
  add("tasks/update", async (taskId, { mcpReq }) => {
    const state = calls.stateOf(taskId);
    if (!state) return noTask(taskId);
    if (!calls.answer(taskId, mcpReq.inputResponses ?? {}) && state.kind === "working")
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        "the task runs in another server process; answer it there",
      );
    return {};
  });
}

/** The answer to a call that goes on behind its request. Clients that do not know tasks never get it. */
export function createdTask(taskId: string, state: BackgroundState): CallToolResult {
  return { resultType: "task", ...taskOf(taskId, state), content: [] } as CallToolResult;
}

function taskOf(taskId: string, { startedAt, updatedAt, ...state }: BackgroundState): JsonObject {
  return {
    taskId,
    status: statuses[state.kind],
    createdAt: startedAt,
    lastUpdatedAt: updatedAt,
    ttlMs: KEPT_MS_MIN,
    pollIntervalMs: POLL_MS,
    ...(state.kind === "working" && state.message !== undefined ? { statusMessage: state.message } : {}),
  };
}

const statuses: Readonly<Record<BackgroundState["kind"], string>> = {
  working: "working",
  asking: "input_required",
  cancelled: "cancelled",
  completed: "completed",
  failed: "failed",
};

function detailedTask(taskId: string, state: BackgroundState): JsonObject {
  const more =
    state.kind === "completed"
      ? { result: state.result }
      : state.kind === "failed"
        ? { error: state.error }
        : state.kind === "asking"
          ? { inputRequests: state.asks }
          : {};
  return { ...taskOf(taskId, state), ...(more as unknown as JsonObject) };
}

function noTask(taskId: string): never {
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no task \`${taskId.slice(0, 100)}\``);
}

/** The handlers read what they need; nothing else of the parameters is used. */
const anyObject = {
  "~standard": {
    version: 1 as const,
    vendor: "dottool",
    validate: (value: unknown): { readonly value: JsonObject } => ({
      value: isJsonObject(value as Json) ? (value as JsonObject) : {},
    }),
    types: undefined as { readonly input: JsonObject; readonly output: JsonObject } | undefined,
  },
};
