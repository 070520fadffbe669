// One server of the SDK for one connection or one request, over what all of them share. The same handlers serve both eras of the protocol.
import { Server } from "@modelcontextprotocol/server";
import { version } from "../../generated/version.ts";
import { STATE_SECONDS } from "./call-state.ts";
import { isModern } from "./client-of.ts";
import { addPromptMethods } from "./prompt-methods.ts";
import { addResourceMethods } from "./resource-methods.ts";
import type { Change, McpService } from "./service.ts";
import { addToolMethods } from "./tool-methods.ts";

/** How often one call may ask its client for something. */
const ROUNDS_MAX = 100;

/** `subscribed`: the resources that the client wants to hear of. */
export function makeServer(service: McpService, subscribed: Set<string> = new Set()): Server {
  const server = new Server({ name: "dottool", title: "dottool", version }, {
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      completions: {},
      logging: {},
    },
    requestState: { verify: (state) => service.states.verify(state) },
    inputRequired: { maxRounds: ROUNDS_MAX, roundTimeoutMs: STATE_SECONDS * 1000 },
  });
  addToolMethods(server, service);
  addPromptMethods(server, service);
  addResourceMethods(server, service, subscribed);
  return server;
}

/** One that stays connected, so that it is told of changes. */
export function makeLastingServer(service: McpService): Server {
  const subscribed = new Set<string>();
  const server = makeServer(service, subscribed);
  server.onclose = service.onChange((change) => {
    // A client that is gone needs no news.
    send(server, change, subscribed)?.catch(() => undefined);
  });
  return server;
}

function send(server: Server, change: Change, subscribed: ReadonlySet<string>): Promise<void> | undefined {
  switch (change.kind) {
    case "tools":
      return server.sendToolListChanged();
    case "prompts":
      return server.sendPromptListChanged();
    case "resources":
      return server.sendResourceListChanged();
    case "resource":
      // In the later revision whoever stands between takes care of who has subscribed.
      return subscribed.has(change.uri) || isModern(server) ? server.sendResourceUpdated({ uri: change.uri }) : undefined;
  }
}
