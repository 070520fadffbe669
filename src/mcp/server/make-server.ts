// One server of the SDK for one connection or one request, over what all of them share. The same handlers serve both eras of the protocol.
import { Server } from "@modelcontextprotocol/server";
import { version } from "../../generated/version.ts";
import type { McpService } from "./service.ts";
import { addToolMethods } from "./tool-methods.ts";

export function makeServer(service: McpService): Server {
  const server = new Server({ name: "dottool", title: "dottool", version }, { capabilities: { tools: { listChanged: true } } });
  addToolMethods(server, service);
  return server;
}
