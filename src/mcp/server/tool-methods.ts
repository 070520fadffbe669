// `tools/list` and `tools/call`.
import {
  type CallToolResult,
  type InputRequiredResult,
  type ListToolsResult,
  type MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { callTool, logUncalled } from "../../run/call-tool.ts";
import { failureInApiNames } from "../../dialects/api-name.ts";
import { failureText } from "../../run/failure-text.ts";
import { unknownTool } from "../../run/unknown-tool.ts";
import { isJsonObject, type JsonObject } from "../../schema/json.ts";
import { forModels } from "../../text/hidden-characters.ts";
import { didYouMean } from "../../text/suggest.ts";
import { sentArguments } from "./any-arguments.ts";
import { toCallResult } from "./call-content.ts";
import { isModern } from "./client-of.ts";
import { callSession } from "./call-session.ts";
import { unknownCursor } from "./known-cursor.ts";
import { toolsPage } from "./list-tools.ts";
import type { Offer } from "./offer.ts";
import type { Served } from "./served.ts";

export function addToolMethods(server: Server, { service, held, client }: Served): void {
  server.setRequestHandler("tools/list", async ({ params }) => {
    return ((await toolsPage(await service.offer(), params?.cursor)) ??
      unknownCursor(params?.cursor)) as ListToolsResult;
  });
  server.setRequestHandler("tools/call", ({ params }, context) =>
    service.track(
      callByName(params.name, sentArguments(params.arguments as JsonObject | undefined), {
        server,
        service,
        held,
        client,
        context,
      }),
    ),
  );
}

interface Calling extends Omit<Served, "states"> {
  readonly server: Server;
  readonly context: ServerContext;
}

async function callByName(
  name: string,
  args: unknown,
  calling: Calling,
): Promise<CallToolResult | InputRequiredResult> {
  // The call runs against the current snapshot to its end.
  const offer = await calling.service.offer();
  const { instead, find } = offer;
  if (instead.size === 0) {
    const tool = find(name);
    if (!tool) return noSuchTool(name, args, offer);
    return callTracked({ name, tool: tool.definition.name.value, args }, offer, calling);
  }
  const answer = await instead.get(name)?.answer(isJsonObject(args) ? args : {});
  if (!answer)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `there is no tool \`${name}\`${didYouMean(name, instead.keys())}`,
    );
  if ("text" in answer)
    return { content: [{ type: "text", text: forModels(answer.text) }], ...(answer.isError ? { isError: true } : {}) };
  return callTracked(
    { name, tool: find(answer.call.tool)?.definition.name.value ?? answer.call.tool, args: answer.call.arguments },
    offer,
    calling,
  );
}

/**
 * Answers a call of an unknown tool with the call that fits, in the words of the gate. A broken definition is not the
 * client's mistake, so it is not an error of the protocol.
 */
async function noSuchTool(name: string, args: unknown, { session }: Offer): Promise<CallToolResult> {
  const call = { id: session.host.randomId(), tool: name, arguments: args };
  const unknown = await unknownTool(call, session);
  await logUncalled(call, unknown, session);
  const text = failureText(failureInApiNames(unknown), { audience: "model", tool: name });
  if (unknown.kind === "unknown-tool") throw new ProtocolError(ProtocolErrorCode.InvalidParams, text);
  return { content: [{ type: "text", text }], isError: true };
}

interface WantedCall {
  /** The name as the client writes it. */
  readonly name: string;
  readonly tool: string;
  readonly args: unknown;
}

function callTracked(
  { name, tool, args }: WantedCall,
  { session }: Offer,
  { server, service, held, client, context }: Calling,
): Promise<CallToolResult | InputRequiredResult> {
  const callId = session.host.randomId();
  return held.run({ context, about: ["tools/call", name, tool, args], staysOpen: !isModern(server) }, async (begun) => {
    let refused: MissingRequiredClientCapabilityError | undefined;
    const own = callSession(session, {
      begun,
      server,
      service,
      client,
      context,
      callId,
      onRefused: (error) => void (refused = error),
    });
    const result = await callTool({ id: callId, tool, arguments: args }, own, begun.held.signal);
    // A tool that can do without an answer has caught the error. The earlier revisions do not know it.
    if (refused && isModern(server) && result.status === "failed" && result.failure.kind === "crashed") throw refused;
    return toCallResult(result);
  });
}
