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
import type { ToolCall } from "../../tool/call.ts";
import { forModels } from "../../text/hidden-characters.ts";
import { didYouMean } from "../../text/suggest.ts";
import { sentArguments } from "./any-arguments.ts";
import { toCallResult } from "./call-content.ts";
import { CHECK_RUN, offersHandles } from "./background-after.ts";
import { checkRun, textOf } from "./check-run.ts";
import { isModern, knowsTasks } from "./client-of.ts";
import { callSession } from "./call-session.ts";
import type { Begun } from "./held-calls.ts";
import { unknownCursor } from "./known-cursor.ts";
import { leavingOf } from "./leaving-call.ts";
import { toolsPage } from "./list-tools.ts";
import type { Offer } from "./offer.ts";
import type { Served } from "./served.ts";

export function addToolMethods(server: Server, { service, held, background, client }: Served): void {
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
        background,
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
  if (name === CHECK_RUN && (await offersHandles(offer)))
    return checkRun(isJsonObject(args) ? args : {}, calling.background, calling.context.mcpReq.signal);
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

async function callTracked(
  { name, tool, args }: WantedCall,
  offer: Offer,
  { server, service, held, background, client, context }: Calling,
): Promise<CallToolResult | InputRequiredResult> {
  const { session } = offer;
  const call: ToolCall = { id: session.host.randomId(), tool, arguments: args };
  const leaving = await leavingOf(call, offer, { background, knowsTasks: knowsTasks(server, context) });
  const request = { context, about: ["tools/call", name, tool, args], staysOpen: !isModern(server) };
  const work = async (begun: Begun<CallToolResult>): Promise<CallToolResult> => {
    let refused: MissingRequiredClientCapabilityError | undefined;
    const own = callSession(session, {
      begun,
      server,
      service,
      client,
      context,
      callId: call.id,
      onRefused: (error) => void (refused = error),
    });
    const result = await callTool(call, leaving?.watched(own) ?? own, begun.held.signal);
    const isCrashed = result.status === "failed" && result.failure.kind === "crashed";
    // A tool that can do without an answer has caught the error. The earlier revisions do not know it.
    if (refused && isModern(server) && isCrashed) throw refused;
    const shown = toCallResult(result);
    // The result of a task is what the tool says; that it broke is an error of the task.
    if (isCrashed && leaving?.hasLeft())
      throw new ProtocolError(ProtocolErrorCode.InternalError, textOf(shown) ?? "the tool crashed");
    return shown;
  };
  return held.run(request, work, leaving?.leave);
}
