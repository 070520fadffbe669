// Anthropic Messages. https://platform.claude.com/docs/en/api/messages
import { argumentsSchema } from "../../core/schema/json-schema.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { apiName } from "../../core/tool/api-name.ts";
import { type ApiDialect, field, items, type ReplyCalls, type ReplyJson, textField } from "./dialect.ts";
import { imagesIn } from "./images.ts";
import { examplesForModels, modelDescription } from "./model-description.ts";
import { CUT_OFF, idOf, readCall } from "./read-call.ts";
import { anthropicStrictSchemas } from "./strict-schema.ts";

export const anthropic: ApiDialect = {
  name: "anthropic",
  declarations: (tools) =>
    tools.map((tool) => declaration(tool, argumentsSchema(tool.parameters, tool.definition.schemaOmits))),
  strictDeclarations: (tools) => {
    const { schemas, problems } = anthropicStrictSchemas(tools);
    if (problems.length > 0) return { problems };
    return { declarations: tools.map((tool, index) => ({ ...declaration(tool, schemas[index] ?? {}), strict: true })) };
  },
  recognises: (reply) => contentOf(reply) !== undefined,
  calls: messageCalls,
  callMessage: (calls) => ({
    role: "assistant",
    content: calls.map((call, index) => ({
      type: "tool_use",
      id: idOf(call, index),
      name: call.name,
      input: call.arguments,
    })),
  }),
  // All results of one reply go in one message.
  results: (answers) =>
    answers.length === 0
      ? []
      : [
          {
            role: "user",
            content: answers.map((answer, index): JsonObject => {
              const images = imagesIn(answer).map(
                ({ mediaType, base64 }): JsonObject => ({
                  type: "image",
                  source: { type: "base64", media_type: mediaType, data: base64 },
                }),
              );
              const content = images.length > 0 ? [{ type: "text", text: answer.text }, ...images] : answer.text;
              return {
                type: "tool_result",
                tool_use_id: idOf(answer.call, index),
                content,
                ...(answer.isError ? { is_error: true } : {}),
              };
            }),
          },
        ],
};

function declaration(tool: Tool, schema: JsonObject): JsonObject {
  const { definition } = tool;
  return {
    name: apiName(definition.name.value),
    description: modelDescription(definition),
    input_schema: schema,
    ...(definition.examples.length > 0 ? { input_examples: examplesForModels(tool) } : {}),
  };
}

interface Message {
  readonly content: readonly Json[];
  /** Blocks that may be incomplete. */
  readonly cut: readonly Json[];
}

function messageCalls(reply: ReplyJson): ReplyCalls | undefined {
  const message = contentOf(reply);
  if (!message) return undefined;
  return {
    calls: message.content
      .filter((block) => field(block, "type") === "tool_use")
      .map((block) =>
        readCall(
          {
            id: field(block, "id"),
            name: field(block, "name"),
            arguments: field(block, "input"),
            problem: message.cut.includes(block) ? CUT_OFF : undefined,
          },
          reply,
        ),
      ),
  };
}

const CUT_REASONS: readonly (string | undefined)[] = ["max_tokens", "model_context_window_exceeded", "refusal"];
const BLOCK_TYPES: readonly (string | undefined)[] = [
  "text",
  "thinking",
  "redacted_thinking",
  "tool_use",
  "server_tool_use",
];

function contentOf(reply: ReplyJson): Message | undefined {
  if (reply.isStream)
    return reply.values.some((event) => /^(?:message_start|content_block_)/.test(textField(event, "type") ?? ""))
      ? contentOfStream(reply.values)
      : undefined;
  const [value] = reply.values;
  if (value === undefined) return undefined;
  if (field(value, "type") === "tool_use") return { content: [value], cut: [] };
  const content = Array.isArray(value)
    ? value
    : field(value, "role") === "assistant" || field(value, "type") === "message"
      ? field(value, "content")
      : undefined;
  const blocks = items(content);
  const isMessage =
    field(value, "type") === "message" ||
    (blocks.length > 0 &&
      blocks.every((block) => BLOCK_TYPES.includes(textField(block, "type"))) &&
      (field(value, "role") === "assistant" || blocks.some((block) => field(block, "type") === "tool_use")));
  return isMessage && Array.isArray(content)
    ? { content: blocks, cut: CUT_REASONS.includes(textField(value, "stop_reason")) ? blocks.slice(-1) : [] }
    : undefined;
}

/** A block is complete after its `content_block_stop`; its input comes as pieces of JSON. */
function contentOfStream(events: readonly Json[]): Message {
  const blocks = new Map<number, { readonly block: JsonObject; input: string; isWhole: boolean }>();
  let stop: string | undefined;
  for (const event of events) {
    const index = field(event, "index");
    const known = typeof index === "number" ? blocks.get(index) : undefined;
    const type = textField(event, "type");
    const block = field(event, "content_block");
    if (type === "content_block_start" && typeof index === "number" && isJsonObject(block))
      blocks.set(index, { block, input: "", isWhole: false });
    else if (type === "content_block_delta" && known)
      known.input += textField(field(event, "delta"), "partial_json") ?? "";
    else if (type === "content_block_stop" && known) known.isWhole = true;
    else if (type === "message_delta") stop = textField(field(event, "delta"), "stop_reason") ?? stop;
  }
  const all = [...blocks].sort(([a], [b]) => a - b).map(([, one]) => one);
  const content = all.map(
    ({ block, input }): JsonObject =>
      field(block, "type") === "tool_use" && input !== "" ? { ...block, input } : { ...block },
  );
  const isCut = stop === undefined || CUT_REASONS.includes(stop);
  return {
    content,
    cut: content.filter((_block, index) => all[index]?.isWhole === false || (isCut && index === content.length - 1)),
  };
}
