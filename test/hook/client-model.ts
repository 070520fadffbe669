// A model on loopback for real clients: it calls the tools of a script, one a request, in the API that the client
// speaks, and remembers what the client says of each. It is also the client's proxy, so nothing leaves this machine.
import type { ServerResponse } from "node:http";
import { type SeenRequest, startServer, type WebServer } from "../base/web-server.ts";
import { anthropicApi } from "../agent/anthropic-api.ts";
import { openAiApi } from "../agent/openai-api.ts";
import { argumentsText, type Body, type ReplyTurn, type ScriptedCall } from "../agent/scripted-turn.ts";

export interface ClientModel extends WebServer {
  /** What the client has said of each call, in order. */
  readonly results: readonly string[];
  /** The paths of requests that no API here answers. */
  readonly strange: readonly string[];
}

interface ClientApi {
  readonly path: RegExp;
  /** Returns the results of the calls so far. */
  results(body: Body): readonly unknown[];
  events(turn: ReplyTurn, ids: readonly string[]): readonly string[];
}

const listOf = (value: unknown): readonly Body[] => (Array.isArray(value) ? (value as readonly Body[]) : []);

const apis: readonly ClientApi[] = [
  {
    path: /^\/v1\/messages\?|^\/v1\/messages$/,
    results: ({ messages }) =>
      listOf(messages)
        .flatMap(({ content }) => listOf(content))
        .filter(({ type }) => type === "tool_result")
        .map(({ content }) => content),
    events: anthropicApi.events,
  },
  {
    path: /^\/v1\/chat\/completions$/,
    results: ({ messages }) =>
      listOf(messages)
        .filter(({ role }) => role === "tool")
        .map(({ content }) => content),
    events: openAiApi.events,
  },
  {
    path: /^\/v1\/responses$/,
    results: ({ input }) =>
      listOf(input)
        .filter(({ type }) => /_call_output$/.test(String(type)))
        .map(({ output }) => output),
    events: responsesEvents,
  },
  {
    path: /^\/v1beta\/models\/[^/]+:streamGenerateContent/,
    results: ({ contents }) =>
      listOf(contents)
        .flatMap(({ parts }) => listOf(parts))
        .filter((part) => part["functionResponse"] !== undefined)
        .map((part) => part["functionResponse"]),
    events: geminiEvents,
  },
];

/** Who asks for this in its first message gets the second script: a helper that the model has called. */
export const HELPER = "Help with it";

export async function startClientModel(
  script: readonly ScriptedCall[],
  ofHelper: readonly ScriptedCall[] = [],
): Promise<ClientModel> {
  const results: string[] = [];
  const strange: string[] = [];
  const server = await startServer((request: SeenRequest, response: ServerResponse) => {
    const api = apis.find(({ path }) => path.test(request.path));
    if (!api || request.method !== "POST") {
      strange.push(`${request.method} ${request.path}`);
      return void response.writeHead(404, { "content-type": "application/json" }).end('{"error":{"message":"none"}}');
    }
    const body = JSON.parse(request.body) as Body;
    const found = api.results(body).map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
    const asks = listOf(body["tools"]).length > 0;
    const isHelper = JSON.stringify(listOf(body["messages"]).find(({ role }) => role === "user") ?? "").includes(
      HELPER,
    );
    if (asks && !isHelper) results.splice(0, found.length, ...found);
    const next = asks ? (isHelper ? ofHelper : script)[found.length] : undefined;
    const turn: ReplyTurn = next ? { calls: [next] } : { text: ["Done."] };
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    response.end(api.events(turn, next ? [`call_${found.length + 1}`] : []).join(""));
  });
  return Object.assign(server, { results, strange });
}

/** The Responses API: platform.openai.com/docs/api-reference/responses-streaming. */
function responsesEvents({ text, calls = [] }: ReplyTurn, ids: readonly string[]): readonly string[] {
  const event = (type: string, data: Body): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  const items = [
    ...(text
      ? [{ type: "message", role: "assistant", id: "msg_1", content: [{ type: "output_text", text: text.join("") }] }]
      : []),
    ...calls.map((call, index) =>
      typeof call.arguments === "string"
        ? { type: "custom_tool_call", id: `ct_${index}`, call_id: ids[index], name: call.name, input: call.arguments }
        : {
            type: "function_call",
            id: `fc_${index}`,
            call_id: ids[index],
            name: call.name,
            arguments: argumentsText(call),
          },
    ),
  ];
  const usage = {
    input_tokens: 9,
    input_tokens_details: null,
    output_tokens: 4,
    output_tokens_details: null,
    total_tokens: 13,
  };
  return [
    event("response.created", { response: { id: "resp_1" } }),
    ...items.map((item, index) => event("response.output_item.done", { output_index: index, item })),
    event("response.completed", { response: { id: "resp_1", usage } }),
  ];
}

/** ai.google.dev/api/generate-content. */
function geminiEvents({ text, calls = [] }: ReplyTurn): readonly string[] {
  const parts = [
    ...(text ? [{ text: text.join("") }] : []),
    ...calls.map(({ name, arguments: args }) => ({ functionCall: { name, args } })),
  ];
  const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 4, totalTokenCount: 13 };
  const candidates = [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }];
  return [`data: ${JSON.stringify({ candidates, usageMetadata })}\n\n`];
}
