// `tools/list` and `tools/call`.
import { type CallToolResult, type InputRequiredResult, type ListToolsResult, type MissingRequiredClientCapabilityError, ProtocolError, ProtocolErrorCode, type Server, type ServerContext } from "@modelcontextprotocol/server";
import { callTool } from "../../run/call-tool.ts";
import { didYouMean } from "../../text/suggest.ts";
import { toCallResult } from "./call-content.ts";
import { isModern } from "./client-of.ts";
import { callSession } from "./call-session.ts";
import { pageOf } from "./pages.ts";
import type { McpService } from "./service.ts";

export function addToolMethods(server: Server, service: McpService): void {
  server.setRequestHandler("tools/list", async ({ params }) => {
    const { items, nextCursor } = pageOf((await service.offer()).tools, params?.cursor);
    return { tools: items as unknown as ListToolsResult["tools"], ...(nextCursor === undefined ? {} : { nextCursor }) };
  });
  server.setRequestHandler("tools/call", ({ params }, context) => service.track(callByName(params.name, params.arguments ?? {}, { server, service, context })));
}

interface Calling {
  readonly server: Server;
  readonly service: McpService;
  readonly context: ServerContext;
}

async function callByName(name: string, args: unknown, { server, service, context }: Calling): Promise<CallToolResult | InputRequiredResult> {
  // The snapshot of this moment is what the call runs against to its end.
  const { session, byName } = await service.offer();
  const tool = byName.get(name);
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool \`${name}\`${didYouMean(name, byName.keys())}`);
  const callId = session.host.randomId();
  return service.held.run({ context, about: ["tools/call", name, args] }, async (begun) => {
    let refused: MissingRequiredClientCapabilityError | undefined;
    const own = callSession(session, { begun, server, service, context, callId, onRefused: (error) => void (refused = error) });
    const result = await callTool({ id: callId, tool: tool.definition.name.value, arguments: args }, own, begun.held.signal);
    // A tool that can do without has caught it; the earlier revisions know no such error.
    if (refused && isModern(server) && result.status === "failed" && result.failure.kind === "crashed") throw refused;
    return toCallResult(result);
  });
}
