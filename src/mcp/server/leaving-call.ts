// When a call goes on behind its request, and what its client gets then: a task, or a handle as text.
import type { CallToolResult } from "@modelcontextprotocol/server";
import { contentOf } from "../../policy/content.ts";
import { shownCall } from "../../run/call-tool.ts";
import type { Session } from "../../run/session.ts";
import { isJsonObject } from "../../schema/json.ts";
import { forModels } from "../../text/hidden-characters.ts";
import type { ToolCall } from "../../tool/call.ts";
import { progressText } from "../../tool/progress.ts";
import type { PreparedCall, ToolEvent } from "../../tool/tool.ts";
import { backgroundAfterMs, offersHandles } from "./background-after.ts";
import type { BackgroundCalls, LeftCall } from "./background-calls.ts";
import { handleResult } from "./check-run.ts";
import type { Leave } from "./held-calls.ts";
import type { Offer } from "./offer.ts";
import { createdTask } from "./task-methods.ts";

/** Most clients wait a minute for an answer, and show nothing meanwhile. */
const TASK_AFTER_MS_DEFAULT = 10_000;

interface Leaving {
  readonly leave: Leave<CallToolResult>;
  hasLeft(): boolean;
  /** Returns the session of the call, which is watched for what has to be stored. */
  watched(session: Session): Session;
}

interface LeavingOptions {
  readonly background: BackgroundCalls;
  readonly knowsTasks: boolean;
}

/** Returns undefined if the client has to wait for the result. */
export async function leavingOf(
  call: ToolCall,
  offer: Offer,
  { background, knowsTasks }: LeavingOptions,
): Promise<Leaving | undefined> {
  const { session } = offer;
  const setMs = await backgroundAfterMs(session);
  const afterMs = knowsTasks ? (setMs ?? TASK_AFTER_MS_DEFAULT) : (await offersHandles(offer)) ? setMs : undefined;
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
      afterMs,
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
