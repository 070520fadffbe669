// Chat Completions, as far as agents use it: platform.openai.com/docs/api-reference/chat,
// …/docs/guides/function-calling, …/docs/guides/error-codes.
import type { SeenRequest } from "../base/web-server.ts";
import {
  argumentsText,
  type Body,
  type ErrorTurn,
  inPieces,
  KEY,
  MODEL,
  type ReplyTurn,
  type ScriptedApi,
} from "./scripted-turn.ts";
import { wordList } from "../lines.ts";

const KEYS = new Set(
  wordList(`
    model messages stream stream_options temperature max_tokens max_completion_tokens tools tool_choice
  `),
);
const MESSAGE_KEYS: Readonly<Record<string, readonly string[]>> = {
  system: ["role", "content"],
  user: ["role", "content"],
  assistant: ["role", "content", "tool_calls", "reasoning_content"],
  tool: ["role", "content", "tool_call_id"],
};

const error = (status: number, message: string, code: string | null = null): ErrorTurn => ({
  status,
  body: { error: { message, type: "invalid_request_error", param: null, code } },
});

export const openAiApi: ScriptedApi = {
  error: (status, message) => error(status, message),
  refuse: ({ headers }: SeenRequest, body) => {
    if (headers["authorization"] !== `Bearer ${KEY}`)
      return error(401, `Incorrect API key provided: ${KEY.slice(0, 8)}********${KEY.slice(-4)}.`, "invalid_api_key");
    const unknown = Object.keys(body).find((key) => !KEYS.has(key));
    if (unknown !== undefined) return error(400, `Unrecognized request argument supplied: ${unknown}`);
    if (body["model"] !== MODEL)
      return error(
        404,
        `The model \`${String(body["model"])}\` does not exist or you do not have access to it.`,
        "model_not_found",
      );
    const { messages, tools, stream, stream_options: streamOptions } = body;
    if (streamOptions !== undefined && stream !== true)
      return error(400, "The 'stream_options' parameter is only allowed when 'stream' is enabled.");
    if (!Array.isArray(messages) || messages.length === 0)
      return error(400, "Invalid type for 'messages': expected an array of objects.");
    const problem =
      messagesProblem(messages as readonly Body[]) ?? (tools === undefined ? undefined : toolsProblem(tools));
    return problem === undefined ? undefined : error(400, problem);
  },
  whole: (turn, ids) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_741_570_283,
    model: MODEL,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: turn.text?.join("") ?? null,
          refusal: null,
          ...(ids.length === 0 ? {} : { tool_calls: toolCalls(turn, ids) }),
        },
        logprobs: null,
        finish_reason: stopOf(turn),
      },
    ],
    ...(turn.tokens === null ? {} : { usage: usageOf(turn) }),
  }),
  events: (turn, ids) => {
    const chunk = (choices: readonly unknown[], more: Body = {}): string =>
      `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_694_268_190, model: MODEL, choices, ...more })}\n\n`;
    const delta = (fields: Body, finish: string | null = null): string =>
      chunk([{ index: 0, delta: fields, logprobs: null, finish_reason: finish }]);
    const calls = toolCalls(turn, ids).flatMap(({ function: { arguments: args, ...head }, ...rest }, index) => [
      delta({ tool_calls: [{ index, ...rest, function: { ...head, arguments: "" } }] }),
      ...inPieces(args, 5).map((piece) => delta({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]);
    const end = [
      delta({}, stopOf(turn)),
      ...(turn.tokens === null ? [] : [chunk([], { usage: usageOf(turn) })]),
      "data: [DONE]\n\n",
    ];
    return [
      delta({ role: "assistant", content: "", refusal: null }),
      ...(turn.reasoning === undefined ? [] : [delta({ reasoning_content: turn.reasoning })]),
      ...(turn.text ?? []).map((content) => delta({ content })),
      ...calls,
      ...(turn.rawEvents ?? []),
      ...(turn.isCutOff ? [] : end),
    ];
  },
};

interface ToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

function toolCalls({ calls = [] }: ReplyTurn, ids: readonly string[]): readonly ToolCall[] {
  return calls.map((call, index) => ({
    id: ids[index] ?? "",
    type: "function",
    function: { name: call.name, arguments: argumentsText(call) },
  }));
}

function stopOf({ stop, calls = [] }: ReplyTurn): string {
  return stop ?? (calls.length > 0 ? "tool_calls" : "stop");
}

function usageOf({ tokens }: ReplyTurn): Body {
  const [input, output] = tokens ?? [100, 10];
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

function messagesProblem(messages: readonly Body[]): string | undefined {
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    const role = String(message["role"]);
    const known = MESSAGE_KEYS[role];
    if (!known) return `Invalid value: '${role}'. Supported values are: 'system', 'assistant', 'user', and 'tool'.`;
    const odd = Object.keys(message).find((key) => !known.includes(key));
    if (odd !== undefined) return `Unknown parameter: 'messages[${index}].${odd}'.`;
    const {
      content,
      tool_calls: calls = [],
      tool_call_id: id,
    } = message as {
      readonly content?: unknown;
      readonly tool_calls?: readonly {
        readonly id: string;
        readonly function: { readonly name: string; readonly arguments: unknown };
      }[];
      readonly tool_call_id?: string;
    };
    if (role === "tool") {
      if (id === undefined || !open.includes(id))
        return "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
      open = open.filter((one) => one !== id);
    } else if (open.length > 0)
      return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(", ")}`;
    if (Array.isArray(content) && role === "user") {
      if (
        content.some(
          (part: Body) =>
            !(part["type"] === "text" && typeof part["text"] === "string" && part["text"] !== "") &&
            !(
              part["type"] === "image_url" &&
              /^data:image\/[a-z]+;base64,/.test(String((part["image_url"] as Body | undefined)?.["url"]))
            ),
        )
      )
        return `Invalid value: 'messages[${index}].content[0]'.`;
    } else if (typeof content !== "string" && !(role === "assistant" && content === null && calls.length > 0))
      return `Invalid value for 'content': expected a string, got ${String(content)}.`;
    if (role !== "tool" && content === "") return "Invalid 'content': empty string.";
    if (calls.some((call) => typeof call.function.arguments !== "string" || !isObjectText(call.function.arguments)))
      return `Invalid value for 'messages[${index}].tool_calls': arguments have to be a JSON object.`;
    const named = calls.find((call) => !/^[a-zA-Z0-9_-]{1,64}$/.test(call.function.name));
    if (named)
      return `Invalid 'messages[${index}].tool_calls[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`;
    open.push(...calls.map((call) => call.id));
    if (new Set(open).size < open.length) return `Duplicate value for 'tool_call_id' in 'messages[${index}]'.`;
  }
  return open.length > 0
    ? `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(", ")}`
    : undefined;
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function toolsProblem(tools: unknown): string | undefined {
  if (!Array.isArray(tools) || tools.length === 0)
    return "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.";
  for (const [index, tool] of (
    tools as readonly {
      readonly type: unknown;
      readonly function?: { readonly name?: unknown; readonly description?: string; readonly parameters?: Body };
    }[]
  ).entries()) {
    const name = String(tool.function?.name);
    if (tool.type !== "function" || !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
      return `Invalid 'tools[${index}].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`;
    if ((tool.function?.description ?? "").length > 1_024)
      return `Invalid 'tools[${index}].function.description': string too long. Expected a string with maximum length 1024.`;
    if (tool.function?.parameters?.["type"] !== "object")
      return `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"', got 'type: "None"'.`;
  }
  return undefined;
}
