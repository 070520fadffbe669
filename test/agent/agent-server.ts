// A model behind real HTTP that follows a script, and an API in front of it that is as strict as the real ones: what
// they would refuse is refused in their words, and then the script does not go on.
import type { ServerResponse } from "node:http";
import { type SeenRequest, startServer, type WebServer } from "../base/web-server.ts";
import { anthropicApi } from "./anthropic-api.ts";
import { openAiApi } from "./openai-api.ts";
import type { Body, ErrorTurn, Turn } from "./scripted-turn.ts";

export interface AgentServer extends WebServer {
  /** The bodies of the requests that were taken. */
  readonly bodies: readonly Body[];
  /** What was refused and why. */
  readonly refused: readonly unknown[];
}

/**
 * A request beyond the script is a status 500 that nobody waits for. `turns` may ask: what comes depends on what was
 * sent.
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
    // An event may come in several pieces of a body, and several in one.
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
