// OpenAI Responses. https://platform.openai.com/docs/api-reference/responses
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import { type ApiDialect, field, type ReplyCalls, type ReplyJson, textField } from "./dialect.ts";
import { imagesIn } from "./images.ts";
import type { ModelCall } from "./model-call.ts";
import { schemaForModels } from "./model-description.ts";
import { describedFunction } from "./openai-chat.ts";
import { CUT_OFF, idOf, readCall } from "./read-call.ts";
import { openaiStrictSchemas } from "./strict-schema.ts";

export const openaiResponses: ApiDialect = {
  name: "openai-responses",
  toolsMax: 128,
  // Without `strict: false` the API makes schemas strict by itself, and optional parameters required.
  declarations: (tools) =>
    tools.map((tool) => ({ type: "function", ...describedFunction(tool, schemaForModels(tool)), strict: false })),
  strictDeclarations: (tools) => {
    const { schemas, problems } = openaiStrictSchemas(tools);
    if (problems.length > 0) return { problems };
    return {
      declarations: tools.map((tool, index) => ({
        type: "function",
        ...describedFunction(tool, schemas[index] ?? {}),
        strict: true,
      })),
    };
  },
  recognises: (reply) => outputOf(reply) !== undefined,
  calls: responseCalls,
  callMessage: (calls) => ({
    output: calls.map((call, index) => ({
      type: "function_call",
      call_id: idOf(call, index),
      name: call.name,
      arguments: JSON.stringify(call.arguments),
    })),
  }),
  results: (answers) =>
    answers.map((answer, index): JsonObject => {
      const images = imagesIn(answer).map(({ url }): JsonObject => ({ type: "input_image", image_url: url }));
      return {
        type:
          answer.call.kind === "faulty" && answer.call.isCustom ? "custom_tool_call_output" : "function_call_output",
        call_id: idOf(answer.call, index),
        output: images.length > 0 ? [{ type: "input_text", text: answer.text }, ...images] : answer.text,
      };
    }),
};

interface Output {
  readonly items: readonly Json[];
  /** Whether the last call may be incomplete. */
  readonly isCut: boolean;
}

function responseCalls(reply: ReplyJson): ReplyCalls | undefined {
  const output = outputOf(reply);
  if (!output) return undefined;
  const last = output.items.at(-1);
  return { calls: output.items.filter(isCall).map((item) => callOf(item, reply, item === last && output.isCut)) };
}

function callOf(item: Json, reply: ReplyJson, isCut: boolean): ModelCall {
  const status = textField(item, "status");
  const isHalf = isCut || status === "in_progress" || status === "incomplete";
  return readCall(
    {
      id: field(item, "call_id"),
      name: field(item, "name"),
      arguments: field(item, "arguments"),
      problem: isHalf ? CUT_OFF : undefined,
      isCustom: field(item, "type") === "custom_tool_call",
    },
    reply,
  );
}

function isCall(item: Json): boolean {
  return field(item, "type") === "function_call" || field(item, "type") === "custom_tool_call";
}

/** The types of output items, which no other API uses. */
const ITEM_TYPE = /^(?:function_call|custom_tool_call|reasoning|message|[a-z_]+_call)$/;

function outputOf(reply: ReplyJson): Output | undefined {
  if (reply.isStream)
    return reply.values.some((event) => textField(event, "type")?.startsWith("response."))
      ? outputOfStream(reply.values)
      : undefined;
  const [value] = reply.values;
  if (value === undefined) return undefined;
  const output = field(value, "output");
  if (Array.isArray(output))
    return { items: output as readonly Json[], isCut: field(value, "status") === "incomplete" };
  if (isCall(value)) return { items: [value], isCut: false };
  if (
    Array.isArray(value) &&
    value.length > 0 &&
    value.some(isCall) &&
    value.every((item: Json) => ITEM_TYPE.test(textField(item, "type") ?? ""))
  )
    return { items: value as readonly Json[], isCut: false };
  return undefined;
}

/**
 * Collects complete items, and the received part of an incomplete one. The last event of a stream repeats all items.
 */
function outputOfStream(events: readonly Json[]): Output {
  const ended = events.findLast((event) =>
    ["response.completed", "response.incomplete", "response.failed"].includes(textField(event, "type") ?? ""),
  );
  const whole = field(field(ended, "response"), "output");
  const isCut = textField(ended, "type") !== "response.completed";
  if (Array.isArray(whole) && !isCut) return { items: whole as readonly Json[], isCut };
  const byIndex = new Map<number, JsonObject>();
  for (const event of events) {
    const index = field(event, "output_index");
    const item = field(event, "item");
    if (typeof index !== "number" || !isJsonObject(item)) continue;
    byIndex.set(
      index,
      textField(event, "type") === "response.output_item.done" ? item : { ...item, status: "in_progress" },
    );
  }
  return { items: [...byIndex].sort(([a], [b]) => a - b).map(([, item]) => item), isCut: false };
}
