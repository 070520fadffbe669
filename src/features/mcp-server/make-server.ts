// One server of the SDK, for one connection or one request. All servers share their data, and the same handlers serve
// both eras of the protocol.
import type { Server } from "@modelcontextprotocol/server";
import { CallServer } from "./call-server.ts";
import { STATE_SECONDS } from "./call-state.ts";
import { isModern } from "./client-of.ts";
import { addPromptMethods } from "./prompt-methods.ts";
import { addResourceMethods } from "./resource-methods.ts";
import type { Served } from "./served.ts";
import { serverCapabilities, serverInfo } from "./server-facts.ts";
import type { Change } from "./service.ts";
import { addTaskMethods } from "./task-methods.ts";
import { addToolMethods } from "./tool-methods.ts";

/** The limit of questions that one call may ask its client. */
const ROUNDS_MAX = 100;

/** Makes a server. `subscribed` are the resources whose changes the client wants to hear of. */
export function makeServer(served: Served, subscribed: Set<string> = new Set()): CallServer {
  const server = new CallServer(serverInfo, {
    capabilities: serverCapabilities,
    instructions: served.service.instructions(),
    requestState: { verify: (state) => served.states.verify(state) },
    inputRequired: { maxRounds: ROUNDS_MAX, roundTimeoutMs: STATE_SECONDS * 1000 },
  });
  addToolMethods(server, served);
  addTaskMethods(server, served.background);
  addPromptMethods(server, served);
  addResourceMethods(server, served.service, subscribed);
  return server;
}

/** Makes a server that stays connected, so that its client hears of changes. */
export function makeLastingServer(served: Served): CallServer {
  const subscribed = new Set<string>();
  const server = makeServer(served, subscribed);
  server.onclose = served.service.onChange((change) => {
    // A client that has gone needs no notification.
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
      // In the later revision, the layer above keeps track of subscriptions.
      return subscribed.has(change.uri) || isModern(server)
        ? server.sendResourceUpdated({ uri: change.uri })
        : undefined;
  }
}
