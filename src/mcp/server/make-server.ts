// One server of the SDK for one connection or one request, over what all of them share. The same handlers serve both eras of the protocol.
import { Server } from "@modelcontextprotocol/server";
import { version } from "../../generated/version.ts";
import { STATE_SECONDS } from "./call-state.ts";
import type { McpService } from "./service.ts";
import { addToolMethods } from "./tool-methods.ts";

/** How often one call may ask its client for something. */
const ROUNDS_MAX = 100;

export function makeServer(service: McpService): Server {
  const server = new Server({ name: "dottool", title: "dottool", version }, {
    capabilities: { tools: { listChanged: true }, logging: {} },
    requestState: { verify: (state) => service.states.verify(state) },
    inputRequired: { maxRounds: ROUNDS_MAX, roundTimeoutMs: STATE_SECONDS * 1000 },
  });
  addToolMethods(server, service);
  return server;
}

/** One that stays connected, so that it is told of changes. */
export function makeLastingServer(service: McpService): Server {
  const server = makeServer(service);
  const stop = service.onListChange(() => {
    // A client that is gone needs no news.
    server.sendToolListChanged().catch(() => undefined);
  });
  server.onclose = stop;
  return server;
}
