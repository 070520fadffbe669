// A server that speaks like the APIs of OpenAI and Anthropic and is as strict: it refuses in their words what they
// would refuse. Formats: platform.openai.com/docs/api-reference/chat, platform.openai.com/docs/guides/error-codes,
// platform.claude.com/docs/en/api/messages, platform.claude.com/docs/en/api/errors,
// platform.claude.com/docs/en/build-with-claude/streaming, platform.claude.com/docs/en/api/versioning.
import type { ServerResponse } from "node:http";
import { type SeenRequest, startServer, type WebServer } from "./web-server.ts";

export const KEY = "sk-test-0123456789abcdef";
export const MODEL = "small-1";

export type Reply =
  /** `pieces` are the deltas, joined if no stream is asked for. `stop` is the API's own word. */
  | { readonly pieces: readonly string[]; readonly stop?: string; readonly refusal?: string; readonly isCutOff?: true }
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  | { readonly respond: (response: ServerResponse) => void };

/** Starts a server with one reply for each request; the last one repeats. */
export function startModelServer(...replies: readonly Reply[]): Promise<WebServer> {
  let count = 0;
  return startServer((request, response) => {
    const reply = replies[Math.min(count++, replies.length - 1)];
    const api =
      request.path === "/v1/chat/completions" ? openAi : request.path === "/v1/messages" ? anthropic : undefined;
    if (!api) return sendJson(response, { status: 404, body: { detail: "Not Found" } });
    const refused =
      request.method === "POST" ? api.refuse(request) : api.error(405, "Method Not Allowed", "invalid_request_error");
    if (refused) return sendJson(response, refused);
    if (reply === undefined) throw new Error("the test gives no reply");
    if ("respond" in reply) return reply.respond(response);
    if ("status" in reply) return sendJson(response, reply);
    const body = JSON.parse(request.body) as { readonly stream?: boolean };
    if (body.stream !== true) return sendJson(response, { status: 200, body: api.whole(reply) });
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
    const events = api.events(reply);
    const sent = reply.isCutOff ? events.slice(0, -2) : events;
    for (const event of sent) response.write(event);
    response.end();
  });
}

export type TextReply = Extract<Reply, { readonly pieces: readonly string[] }>;

interface Refused {
  readonly status: number;
  readonly body: unknown;
}

interface Api {
  error(status: number, message: string, type: string): Refused;
  /** Returns undefined if the request is correct. */
  refuse(request: SeenRequest): Refused | undefined;
  whole(reply: TextReply): unknown;
  events(reply: TextReply): readonly string[];
}

type Body = Readonly<Record<string, unknown>>;

const openAiError = (status: number, message: string, code: string | null = null): Refused => ({
  status,
  body: { error: { message, type: "invalid_request_error", param: null, code } },
});
const openAiKeys = new Set(["model", "messages", "stream", "temperature", "max_tokens", "max_completion_tokens"]);

const openAi: Api = {
  error: (status, message) => openAiError(status, message),
  refuse: ({ headers, body: text }) => {
    const bad = (message: string): Refused => openAiError(400, message);
    if (headers["authorization"] === undefined)
      return openAiError(
        401,
        "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
      );
    if (headers["authorization"] !== `Bearer ${KEY}`)
      return openAiError(
        401,
        `Incorrect API key provided: ${String(headers["authorization"]).slice(7, 15)}********${String(headers["authorization"]).slice(-4)}.`,
        "invalid_api_key",
      );
    const body = parsedBody(text, headers["content-type"]);
    if (body === undefined) return bad("We could not parse the JSON body of your request.");
    const unknown = Object.keys(body).find((key) => !openAiKeys.has(key));
    if (unknown !== undefined) return bad(`Unrecognized request argument supplied: ${unknown}`);
    if (typeof body["model"] !== "string") return bad("you must provide a model parameter");
    if (body["model"] !== MODEL)
      return openAiError(
        404,
        `The model \`${body["model"]}\` does not exist or you do not have access to it.`,
        "model_not_found",
      );
    const messages = body["messages"];
    if (
      !Array.isArray(messages) ||
      messages.length === 0 ||
      !messages.every((message) => isMessage(message, ["system", "user", "assistant"]))
    )
      return bad("Invalid type for 'messages'");
    return sharedProblem(body, 2, bad);
  },
  whole: ({ pieces, stop = "stop", refusal = null }) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_741_570_283,
    model: MODEL,
    system_fingerprint: "fp_1",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: refusal === null ? pieces.join("") : null, refusal, annotations: [] },
        logprobs: null,
        finish_reason: stop,
      },
    ],
    usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
  }),
  events: ({ pieces, stop = "stop", refusal }) => {
    const chunk = (delta: Body, finish: string | null = null): string =>
      `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_694_268_190, model: MODEL, system_fingerprint: "fp_1", choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] })}\n\n`;
    const deltas = refusal === undefined ? pieces.map((content) => chunk({ content })) : [chunk({ refusal })];
    return [chunk({ role: "assistant", content: "", refusal: null }), ...deltas, chunk({}, stop), "data: [DONE]\n\n"];
  },
};

const anthropicError = (status: number, message: string, type: string): Refused => ({
  status,
  body: { type: "error", error: { type, message }, request_id: "req_1" },
});
const anthropicKeys = new Set(["model", "max_tokens", "messages", "stream", "system", "temperature"]);

const anthropic: Api = {
  error: anthropicError,
  refuse: ({ headers, body: text }) => {
    const bad = (message: string): Refused => anthropicError(400, message, "invalid_request_error");
    if (headers["x-api-key"] === undefined)
      return anthropicError(401, "x-api-key header is required", "authentication_error");
    if (headers["x-api-key"] !== KEY) return anthropicError(401, "invalid x-api-key", "authentication_error");
    const version = String(headers["anthropic-version"] ?? "");
    if (version === "") return bad("anthropic-version: header is required");
    if (!["2023-06-01", "2026-10-21"].includes(version))
      return bad(`anthropic-version: "${version}" is not a valid version`);
    const body = parsedBody(text, headers["content-type"]);
    if (body === undefined) return bad("The request body is not valid JSON");
    const unknown = Object.keys(body).find(
      (key) => !anthropicKeys.has(key) || (key === "temperature" && version === "2026-10-21"),
    );
    if (unknown !== undefined) return bad(`${unknown}: Extra inputs are not permitted`);
    for (const key of ["model", "max_tokens", "messages"])
      if (body[key] === undefined) return bad(`${key}: Field required`);
    if (body["model"] !== MODEL) return anthropicError(404, `model: ${String(body["model"])}`, "not_found_error");
    const messages = body["messages"];
    if (
      !Array.isArray(messages) ||
      messages.length === 0 ||
      !messages.every((message) => isMessage(message, ["user", "assistant"]))
    )
      return bad("messages: Input should be a valid list");
    if (body["system"] !== undefined && !isText(body["system"])) return bad("system: Input should be a valid string");
    return sharedProblem(body, 1, bad);
  },
  whole: ({ pieces, stop = "end_turn" }) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: MODEL,
    content: [
      { type: "thinking", thinking: "not the answer", signature: "x" },
      { type: "text", text: pieces.join("") },
    ],
    stop_reason: stop,
    stop_sequence: null,
    usage: { input_tokens: 9, output_tokens: 4 },
  }),
  events: ({ pieces, stop = "end_turn" }) => {
    const event = (type: string, data: Body): string =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
    return [
      event("message_start", {
        message: {
          id: "msg_1",
          type: "message",
          role: "assistant",
          model: MODEL,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 9, output_tokens: 1 },
        },
      }),
      event("content_block_start", { index: 0, content_block: { type: "thinking", thinking: "", signature: "" } }),
      event("content_block_delta", { index: 0, delta: { type: "thinking_delta", thinking: "not the answer" } }),
      event("content_block_delta", { index: 0, delta: { type: "signature_delta", signature: "x" } }),
      event("content_block_stop", { index: 0 }),
      event("content_block_start", { index: 1, content_block: { type: "text", text: "" } }),
      event("ping", {}),
      ...pieces.map((text) => event("content_block_delta", { index: 1, delta: { type: "text_delta", text } })),
      event("content_block_stop", { index: 1 }),
      event("kind_of_the_future", { index: 1 }),
      event("message_delta", { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 4 } }),
      event("message_stop", {}),
    ];
  },
};

function parsedBody(text: string, contentType: unknown): Body | undefined {
  if (contentType !== "application/json") return undefined;
  try {
    return JSON.parse(text) as Body;
  } catch {
    return undefined;
  }
}

function isMessage(message: unknown, roles: readonly string[]): boolean {
  if (typeof message !== "object" || message === null) return false;
  const { role, content, ...others } = message as Body;
  return typeof role === "string" && roles.includes(role) && isText(content) && Object.keys(others).length === 0;
}

/** A text, or a list of parts that are texts. */
function isText(content: unknown): boolean {
  if (typeof content === "string") return content !== "";
  return (
    Array.isArray(content) &&
    content.length > 0 &&
    content.every((part: Body) => part["type"] === "text" && typeof part["text"] === "string" && part["text"] !== "")
  );
}

function sharedProblem(body: Body, highest: number, bad: (message: string) => Refused): Refused | undefined {
  const { stream, temperature } = body;
  if (stream !== undefined && typeof stream !== "boolean") return bad("stream: not a boolean");
  if (temperature !== undefined && (typeof temperature !== "number" || temperature < 0 || temperature > highest))
    return bad(`temperature: range: 0..${highest}`);
  for (const key of ["max_tokens", "max_completion_tokens"]) {
    const value = body[key];
    if (value !== undefined && (!Number.isInteger(value) || (value as number) < 1))
      return bad(`${key}: not a positive integer`);
  }
  return undefined;
}

function sendJson(
  response: ServerResponse,
  { status, body, headers = {} }: Extract<Reply, { readonly status: number }>,
): void {
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(typeof body === "string" ? body : JSON.stringify(body));
}
