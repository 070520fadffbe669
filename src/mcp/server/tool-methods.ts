// `tools/list` and `tools/call`.
import { type CallToolResult, type InputRequiredResult, type ListToolsResult, type MissingRequiredClientCapabilityError, ProtocolError, ProtocolErrorCode, type Server, type ServerContext } from "@modelcontextprotocol/server";
import { callTool } from "../../run/call-tool.ts";
import type { JsonObject } from "../../schema/json.ts";
import { didYouMean } from "../../text/suggest.ts";
import { toCallResult } from "./call-content.ts";
import { isModern } from "./client-of.ts";
import { callSession } from "./call-session.ts";
import { unknownCursor } from "./known-cursor.ts";
import { toolsPage } from "./list-tools.ts";
import type { Offer } from "./offer.ts";
import type { Served } from "./served.ts";

export function addToolMethods(server: Server, { service, held }: Served): void {
  server.setRequestHandler("tools/list", async ({ params }) => {
    return ((await toolsPage(await service.offer(), params?.cursor)) ?? unknownCursor(params?.cursor)) as ListToolsResult;
  });
  server.setRequestHandler("tools/call", ({ params }, context) => service.track(callByName(params.name, (params.arguments ?? {}) as JsonObject, { server, service, held, context })));
}

interface Calling extends Omit<Served, "states"> {
  readonly server: Server;
  readonly context: ServerContext;
}

async function callByName(name: string, args: JsonObject, calling: Calling): Promise<CallToolResult | InputRequiredResult> {
  // The snapshot of this moment is what the call runs against to its end.
  const offer = await calling.service.offer();
  const { instead, names, find } = offer;
  if (instead.size === 0) {
    const tool = find(name);
    if (!tool) throw unknownTool(name, names);
    return callTracked({ name, tool: tool.definition.name.value, args }, offer, calling);
  }
  const answer = await instead.get(name)?.answer(args);
  if (!answer) throw unknownTool(name, instead.keys());
  if ("text" in answer) return { content: [{ type: "text", text: answer.text }], ...(answer.isError ? { isError: true } : {}) };
  return callTracked({ name, tool: find(answer.call.tool)?.definition.name.value ?? answer.call.tool, args: answer.call.arguments }, offer, calling);
}

function unknownTool(name: string, known: Iterable<string>): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool \`${name}\`${didYouMean(name, known)}`);
}

interface WantedCall {
  /** As the client names it. */
  readonly name: string;
  readonly tool: string;
  readonly args: unknown;
}

function callTracked({ name, tool, args }: WantedCall, { session }: Offer, { server, service, held, context }: Calling): Promise<CallToolResult | InputRequiredResult> {
  const callId = session.host.randomId();
  return held.run({ context, about: ["tools/call", name, tool, args] }, async (begun) => {
    let refused: MissingRequiredClientCapabilityError | undefined;
    const own = callSession(session, { begun, server, service, context, callId, onRefused: (error) => void (refused = error) });
    const result = await callTool({ id: callId, tool, arguments: args }, own, begun.held.signal);
    // A tool that can do without has caught it; the earlier revisions know no such error.
    if (refused && isModern(server) && result.status === "failed" && result.failure.kind === "crashed") throw refused;
    return toCallResult(result);
  });
}
