// What the client of a request can be asked. It says so once in `initialize`, or with each request.
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { ClientRequest } from "../../core/tool/tool.ts";
import { showsApps } from "./app-names.ts";
import { TASKS_EXTENSION } from "./server-facts.ts";

function capabilitiesOf(server: Server, context: ServerContext): ClientCapabilities | undefined {
  return (
    (context.mcpReq.envelope as { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined)?.[
      CLIENT_CAPABILITIES_META_KEY
    ] ?? server.getClientCapabilities()
  );
}

export function canAnswer(server: Server, context: ServerContext): (method: ClientRequest["method"]) => boolean {
  const capabilities = capabilitiesOf(server, context);
  return (method) => {
    switch (method) {
      case "elicitation/create": {
        const { elicitation } = capabilities ?? {};
        // An empty object comes from revisions with only one way to ask.
        return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
      }
      case "sampling/createMessage":
        return capabilities?.sampling !== undefined;
      case "roots/list":
        return capabilities?.roots !== undefined;
    }
  };
}

/** Whether the client speaks the revision 2026-07-28, which has no sessions. */
export function isModern(server: Server): boolean {
  return server.getNegotiatedProtocolVersion() === "2026-07-28";
}

/** Whether the client asks for the results of long calls itself: SEP-2663, for the revision 2026-07-28. */
export function knowsTasks(server: Server, context: ServerContext): boolean {
  return isModern(server) && capabilitiesOf(server, context)?.extensions?.[TASKS_EXTENSION] !== undefined;
}

/** Whether the client shows pages of servers. */
export function showsPages(server: Server, context: ServerContext): boolean {
  return showsApps(capabilitiesOf(server, context));
}
