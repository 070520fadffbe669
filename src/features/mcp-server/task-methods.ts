// Tasks of MCP (SEP-2663): a call that takes long is answered with a task, and its client asks for the result later.
import { KEPT_MS_MIN } from "../runs/prune.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import type { BackgroundCalls, BackgroundState } from "./background-calls.ts";
import { knowsTasks, type OpenRequest } from "./open-request.ts";
import { answersIn } from "./held-calls.ts";
import { invalidParams, missingCapability, type ProtocolError } from "./protocol.ts";
import type { Method } from "./served.ts";
import { TASKS_EXTENSION } from "./server-facts.ts";

const POLL_MS = 1_000;

export const getTask = taskMethod(async (taskId, calls) => {
  const state = calls.stateOf(taskId);
  if (!state) throw noTask(taskId);
  return detailedTask(taskId, state);
});

export const cancelTask = taskMethod(async (taskId, calls) => {
  if (!(await calls.cancel(taskId))) throw noTask(taskId);
  return {};
});

export const updateTask = taskMethod(async (taskId, calls, { params }) => {
  const state = calls.stateOf(taskId);
  if (!state) throw noTask(taskId);
  if (!calls.answer(taskId, answersIn(params)) && state.kind === "working")
    throw invalidParams("the task runs in another server process; answer it there");
  return {};
});

function taskMethod(
  answer: (taskId: string, calls: BackgroundCalls, request: OpenRequest) => Promise<JsonObject>,
): Method {
  return async (request, served) => {
    if (!knowsTasks(request))
      throw missingCapability(
        { extensions: { [TASKS_EXTENSION]: {} } },
        `\`${request.method}\` needs the extension \`${TASKS_EXTENSION}\``,
      );
    const { taskId } = request.params;
    return answer(typeof taskId === "string" ? taskId : "", (await served.calls()).background, request);
  };
}

/** The answer to a call that goes on behind its request. Clients that do not know tasks never get it. */
export function createdTask(taskId: string, state: BackgroundState): JsonObject {
  return { resultType: "task", ...taskOf(taskId, state) };
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

function noTask(taskId: string): ProtocolError {
  return invalidParams(`there is no task \`${taskId.slice(0, 100)}\``);
}
