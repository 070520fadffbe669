// The Messages API, as far as agents use it: platform.claude.com/docs/en/api/messages,
// …/agents-and-tools/tool-use/implement-tool-use, …/build-with-claude/streaming, …/build-with-claude/extended-thinking,
// …/api/errors.
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

const KEYS = new Set(["model", "max_tokens", "messages", "stream", "system", "temperature", "tools", "tool_choice"]);
/** The cached tokens in the input of each request. */
const CACHED = { read: 40, write: 20 };
const SIGNATURE = "sig-of-thinking";

const error = (status: number, message: string, type = "invalid_request_error"): ErrorTurn => ({
  status,
  body: { type: "error", error: { type, message }, request_id: "req_1" },
});

export const anthropicApi: ScriptedApi = {
  error,
  refuse: ({ headers }: SeenRequest, body) => {
    if (headers["x-api-key"] !== KEY) return error(401, "invalid x-api-key", "authentication_error");
    if (headers["authorization"] !== undefined) return error(400, "authorization: not with x-api-key");
    if (headers["anthropic-version"] !== "2023-06-01") return error(400, "anthropic-version: header is required");
    const unknown = Object.keys(body).find((key) => !KEYS.has(key));
    if (unknown !== undefined) return error(400, `${unknown}: Extra inputs are not permitted`);
    if (body["model"] !== MODEL) return error(404, `model: ${String(body["model"])}`, "not_found_error");
    if (!Number.isInteger(body["max_tokens"])) return error(400, "max_tokens: Field required");
    const { messages, tools } = body;
    if (!Array.isArray(messages) || messages.length === 0)
      return error(400, "messages: at least one message is required");
    const problem =
      messagesProblem(messages as readonly Message[]) ?? (tools === undefined ? undefined : toolsProblem(tools));
    return problem === undefined ? undefined : error(400, problem);
  },
  whole: (turn, ids) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: MODEL,
    stop_sequence: null,
    stop_reason: stopOf(turn),
    usage: usageOf(turn),
    content: blocks(turn, ids).map((block) =>
      block.type === "tool_use" ? { ...block, input: JSON.parse(block.input) as unknown } : block,
    ),
  }),
  events: (turn, ids) => {
    const event = (type: string, data: Body): string =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
    const start = event("message_start", {
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: MODEL,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...usageOf(turn), output_tokens: 1 },
      },
    });
    const content = blocks(turn, ids).flatMap((block, index) => [
      event("content_block_start", { index, content_block: empty(block) }),
      ...(index === 0 ? [event("ping", {})] : []),
      ...deltas(block).map((delta) => event("content_block_delta", { index, delta })),
      event("content_block_stop", { index }),
    ]);
    const end = [
      event("message_delta", {
        delta: { stop_reason: stopOf(turn), stop_sequence: null },
        usage: { output_tokens: usageOf(turn)["output_tokens"] },
      }),
      event("message_stop", {}),
    ];
    return [
      start,
      ...content,
      event("kind_of_the_future", { index: 0 }),
      ...(turn.rawEvents ?? []),
      ...(turn.isCutOff ? [] : end),
    ];
  },
};

type Block =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: string };

function blocks({ reasoning, text, calls = [] }: ReplyTurn, ids: readonly string[]): readonly Block[] {
  return [
    ...(reasoning === undefined ? [] : [{ type: "thinking", thinking: reasoning, signature: SIGNATURE } as const]),
    ...(text === undefined ? [] : [{ type: "text", text: text.join("") } as const]),
    ...calls.map(
      (call, index) =>
        ({ type: "tool_use", id: ids[index] ?? "", name: call.name, input: argumentsText(call) }) as const,
    ),
  ];
}

function empty(block: Block): Body {
  switch (block.type) {
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" };
    case "text":
      return { type: "text", text: "" };
    case "tool_use":
      return { ...block, input: {} };
  }
}

function deltas(block: Block): readonly Body[] {
  switch (block.type) {
    case "thinking":
      return [
        ...inPieces(block.thinking, 7).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: block.signature },
      ];
    case "text":
      return inPieces(block.text, 7).map((text) => ({ type: "text_delta", text }));
    case "tool_use":
      return ["", ...inPieces(block.input, 5)].map((partial) => ({ type: "input_json_delta", partial_json: partial }));
  }
}

function stopOf({ stop, calls = [] }: ReplyTurn): string {
  return stop ?? (calls.length > 0 ? "tool_use" : "end_turn");
}

function usageOf({ tokens }: ReplyTurn): Body {
  const [input, output] = tokens ?? [100, 10];
  return {
    input_tokens: input - CACHED.read - CACHED.write,
    cache_read_input_tokens: CACHED.read,
    cache_creation_input_tokens: CACHED.write,
    output_tokens: output,
  };
}

interface Message {
  readonly role: string;
  readonly content:
    | string
    | readonly (Body & {
        readonly type: string;
        readonly id?: string;
        readonly tool_use_id?: string;
        readonly text?: string;
      })[];
}

function messagesProblem(messages: readonly Message[]): string | undefined {
  let open: readonly string[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== "user" && role !== "assistant") return `messages.${index}.role: Input should be 'user' or 'assistant'`;
    if (index === 0 && role !== "user") return 'messages: first message must use the "user" role';
    if (typeof content === "string" || content.length === 0)
      return `messages.${index}: content blocks are expected by this server`;
    if (
      content.some(
        (block) =>
          block["cache_control"] !== undefined && JSON.stringify(block["cache_control"]) !== '{"type":"ephemeral"}',
      )
    )
      return `messages.${index}.content.0.cache_control.type: Input should be 'ephemeral'`;
    if (content.some((block) => block.type === "text" && (block.text ?? "").trim() === ""))
      return "messages: text content blocks must contain non-whitespace text";
    if (role === "assistant" && content.at(-1)?.type === "thinking")
      return `messages.${index}: The final block in an assistant message cannot be \`thinking\`.`;
    if (content.some((block) => block.type === "thinking" && block["signature"] !== SIGNATURE))
      return `messages.${index}.content.0: Invalid \`signature\` in \`thinking\` block`;
    if (
      content.some(
        (block) =>
          block.type === "tool_use" &&
          (typeof block["input"] !== "object" || block["input"] === null || Array.isArray(block["input"])),
      )
    )
      return `messages.${index}.content.0.tool_use.input: Input should be a valid dictionary`;
    for (const field of ["id", "name"])
      if (content.some((block) => block.type === "tool_use" && !/^[a-zA-Z0-9_-]{1,128}$/.test(String(block[field]))))
        return `messages.${index}.content.0.tool_use.${field}: String should match pattern '^[a-zA-Z0-9_-]+$'`;
    const answered = content.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id ?? ""] : []));
    const missing = open.filter((id) => !answered.includes(id));
    if (missing.length > 0)
      return `messages.${index - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
    const odd = answered.find((id) => !open.includes(id));
    if (odd !== undefined)
      return `messages.${index}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${odd}.`;
    open = content.flatMap((block) => (block.type === "tool_use" ? [block.id ?? ""] : []));
    if (new Set(open).size < open.length) return "messages: `tool_use` ids must be unique";
  }
  return open.length > 0
    ? "messages: the last message has open `tool_use` ids"
    : messages.at(-1)?.role === "assistant"
      ? "This model does not support assistant message prefill. The conversation must end with a user message."
      : undefined;
}

function toolsProblem(tools: unknown): string | undefined {
  if (!Array.isArray(tools)) return "tools: Input should be a valid list";
  for (const [index, tool] of (
    tools as readonly { readonly name?: unknown; readonly input_schema?: Body }[]
  ).entries()) {
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(String(tool.name)))
      return `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
    if (tool.input_schema?.["type"] !== "object") return `tools.${index}.custom.input_schema.type: Field required`;
    const odd = Object.keys(tool).find((key) => !["name", "description", "input_schema"].includes(key));
    if (odd !== undefined) return `tools.${index}.custom.${odd}: Extra inputs are not permitted`;
  }
  return undefined;
}
