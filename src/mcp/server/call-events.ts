// The events of a running call, as notifications to the client that made it.
import type { ServerContext } from "@modelcontextprotocol/server";
import type { Host } from "../../tool/host.ts";
import type { ToolEvent } from "../../tool/tool.ts";
import { forModels } from "../../text/hidden-characters.ts";
import type { Change } from "./service.ts";

/** The shortest time between two notifications. Streaming output is shown as its last line. */
const OUTPUT_MS_MIN = 200;
const LINE_CHARACTERS_MAX = 200;
/** The length of output in which the last line is looked for. */
const END_BYTES = 4 * 1024;

export interface EventTargets {
  /** Returns the open request, if there is one. */
  context(): ServerContext | undefined;
  tell(change: Change): void;
}

export function eventSender(host: Host, { context, tell }: EventTargets): (event: ToolEvent) => Promise<void> {
  const decoder = new TextDecoder();
  let done = 0;
  let outputMs = -OUTPUT_MS_MIN;
  const send = async (
    message: string,
    step?: { readonly done: number; readonly all?: number | undefined },
  ): Promise<void> => {
    const { mcpReq } = context() ?? {};
    const progressToken = mcpReq?._meta?.progressToken;
    if (!mcpReq || progressToken === undefined) return;
    // Progress may only grow.
    const isFarther = step !== undefined && step.done >= done;
    done = isFarther ? step.done : done + 1;
    await mcpReq.notify({
      method: "notifications/progress",
      params: {
        progressToken,
        progress: done,
        ...(step?.all === undefined || !isFarther ? {} : { total: step.all }),
        ...(message === "" ? {} : { message: forModels(message) }),
      },
    });
  };
  const forward = (event: ToolEvent): Promise<void> | undefined => {
    switch (event.kind) {
      case "progress":
        return send(event.text, event.done === undefined ? undefined : { done: event.done, all: event.all });
      case "step":
        return event.state === "waiting"
          ? undefined
          : send(`${[...event.within, event.step].join(" > ")}: ${event.state}`);
      case "resource-changed":
        tell({ kind: "resource", uri: event.uri });
        return undefined;
      case "log":
        return context()?.mcpReq.log(event.level, forModels(event.text), "dottool");
      case "output": {
        const nowMs = host.nowMs();
        if (nowMs - outputMs < OUTPUT_MS_MIN) return undefined;
        const line =
          forModels(decoder.decode(event.bytes.subarray(-END_BYTES)))
            .trimEnd()
            .split("\n")
            .at(-1)
            ?.trim()
            .slice(0, LINE_CHARACTERS_MAX) ?? "";
        if (line === "") return undefined;
        outputMs = nowMs;
        return send(line);
      }
    }
  };
  return async (event) => {
    // A client that has gone ends the call in another way.
    await forward(event)?.catch(() => undefined);
  };
}
