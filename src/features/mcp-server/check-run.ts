// `check_run`: how clients that do not know tasks get the result of a call that went on behind its request.
import { toMcpTool } from "../dialects/mcp.ts";
import { boolean, integer, string } from "../../core/schema/declare.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import { forModels } from "../../core/text/hidden-characters.ts";
import { baseTool } from "../../core/tool/base-tool.ts";
import { CHECK_RUN } from "./background-after.ts";
import type { BackgroundCalls } from "./background-calls.ts";
import type { CallToolResult } from "./protocol.ts";

/** Less than the minute that most clients wait. */
const WAIT_S_MAX = 50;
const WAIT_S_DEFAULT = 20;

/** Only shown: a call of it is answered here, because the run has been judged already. */
export const checkRunTool = toMcpTool(
  baseTool({
    name: CHECK_RUN,
    title: "Check a run",
    description:
      "Get the result of a tool call that went on in the background, or its progress while it is running. Waits for the result up to `wait_s` seconds.",
    parameters: {
      run: string("The handle that the call returned", { required: true, example: "20260102-030405-a1b2c3-…" }),
      wait_s: integer(`Seconds to wait for the result; default ${WAIT_S_DEFAULT}`, { minimum: 0, maximum: WAIT_S_MAX }),
      cancel: boolean("End the run"),
    },
    effects: ["read"],
    execute: () => Promise.reject(new Error(`${CHECK_RUN} is answered without the gate`)),
  }),
);

export function handleResult(handle: string, tool: string): CallToolResult {
  return textResult(
    `\`${tool}\` is still running, and goes on in the background as run ${handle}. Call \`${CHECK_RUN}\` with {"run": "${handle}"} to get its result.`,
  );
}

export async function checkRun(
  { run, wait_s: waitS, cancel }: JsonObject,
  calls: BackgroundCalls,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const handle = typeof run === "string" ? run.trim() : "";
  if (!calls.stateOf(handle))
    return textResult(`there is no run \`${handle.slice(0, 100)}\`; \`run\` is the handle that a call returned`, true);
  if (cancel === true) await calls.cancel(handle);
  const seconds = typeof waitS === "number" && waitS >= 0 ? Math.min(waitS, WAIT_S_MAX) : WAIT_S_DEFAULT;
  await calls.whenEnded(handle, seconds * 1_000, signal);
  const state = calls.stateOf(handle);
  switch (state?.kind) {
    case "completed":
      return state.result;
    case "failed":
      return textResult(state.error.message, true);
    case "cancelled":
      return textResult("the run was cancelled", true);
    case "asking":
      return textResult("the run waits for an answer that this client cannot give; `cancel` ends it", true);
    case "working":
    case undefined:
      return textResult(
        `\`${state?.tool ?? ""}\` is still running, since ${state?.startedAt ?? ""}${state?.message === undefined ? "" : `; its last message: ${state.message}`}. Call \`${CHECK_RUN}\` again.`,
      );
  }
}

export function textOf({ content }: CallToolResult): string | undefined {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).at(-1);
}

function textResult(text: string, isError = false): CallToolResult {
  return { content: [{ type: "text", text: forModels(text) }], ...(isError ? { isError } : {}) };
}
