// A model behind real HTTP that follows a script, and an API in front of it that is as strict as the real ones: it
// refuses in their words what they would refuse, and the script stops.
import type { ServerResponse } from "node:http";
import { type SeenRequest, startServer, type WebServer } from "../base/web-server.ts";
import { anthropicApi } from "./anthropic-api.ts";
import { openAiApi } from "./openai-api.ts";
import type { Body, ErrorTurn, Turn } from "./scripted-turn.ts";

export interface AgentServer extends WebServer {
  /** The bodies of the accepted requests. */
  readonly bodies: readonly Body[];
  /** The refused requests, with reasons. */
  readonly refused: readonly unknown[];
}

/**
 * Starts the server. A request beyond the script gets status 500 without a wait. A turn may be a function of the
 * request.
 */
export async function startAgentServer(...turns: readonly (Turn | ((body: Body) => Turn))[]): Promise<AgentServer> {
  const bodies: Body[] = [];
  const refused: unknown[] = [];
  const server = await startServer((request, response) => {
    const api =
      request.path === "/v1/chat/completions" ? openAiApi : request.path === "/v1/messages" ? anthropicApi : undefined;
    if (!api) return sendError(response, { status: 404, body: { detail: "Not Found" } });
    const body = bodyOf(request);
    const problem =
      request.method !== "POST"
        ? api.error(405, "Method Not Allowed", "invalid_request_error")
        : body
          ? api.refuse(request, body)
          : api.error(400, "We could not parse the JSON body of your request.", "invalid_request_error");
    if (problem || !body) {
      refused.push(problem?.body);
      return sendError(response, problem ?? { status: 400, body: {} });
    }
    const number = bodies.push(body);
    const next = turns[number - 1];
    const turn = typeof next === "function" ? next(body) : next;
    if (!turn)
      return sendError(response, {
        status: 501,
        body: api.error(501, `the script has ${turns.length} turns`, "not_implemented").body,
      });
    if ("respond" in turn) return turn.respond(response, request);
    if ("status" in turn) return sendError(response, turn);
    const ids = (turn.calls ?? []).map(({ id }, index) => id ?? `call_${number}_${index + 1}`);
    if (body["stream"] !== true)
      return void response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify(api.whole(turn, ids)));
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    // The events are sent in pieces that do not end where an event ends.
    const text = Buffer.from(api.events(turn, ids).join(""));
    for (let at = 0; at < text.length; at += 37) response.write(text.subarray(at, at + 37));
    response.end();
  });
  return Object.assign(server, { bodies, refused });
}

function bodyOf({ body, headers }: SeenRequest): Body | undefined {
  if (headers["content-type"] !== "application/json") return undefined;
  try {
    return JSON.parse(body) as Body;
  } catch {
    return undefined;
  }
}

function sendError(response: ServerResponse, { status, body, headers = {} }: ErrorTurn): void {
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(typeof body === "string" ? body : JSON.stringify(body));
}
