// Ollama's own chat API. https://docs.ollama.com/api/chat and https://docs.ollama.com/capabilities/tool-calling
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import { apiName } from "../../core/tool/api-name.ts";
import { isToolCall } from "./chat-calls.ts";
import { type ApiDialect, field, items, type ReplyCalls, type ReplyJson, textField } from "./dialect.ts";
import { imagesIn } from "./images.ts";
import { modelDescription, schemaForModels } from "./model-description.ts";
import { keepsOnly, portableSchema } from "./portable-schema.ts";
import { CUT_OFF, readCall } from "./read-call.ts";

/**
 * The keywords of `ToolProperty` in https://github.com/ollama/ollama/blob/main/api/types.go; the server drops all
 * others.
 */
const keywords = keepsOnly(["type", "enum", "items", "properties", "required"]);

export const ollama: ApiDialect = {
  name: "ollama",
  declarations: (tools) =>
    tools.map((tool) => {
      // The parameters as a whole have no description there.
      const { description, ...schema } = portableSchema(schemaForModels(tool), keywords);
      const said = modelDescription(tool.definition);
      return {
        type: "function",
        function: {
          name: apiName(tool.definition.name.value),
          description: typeof description === "string" ? `${said}\n\nArguments: ${description}` : said,
          parameters: schema,
        },
      };
    }),
  recognises: (reply) => messageOf(reply) !== undefined,
  calls: messageCalls,
  callMessage: (calls) => ({
    role: "assistant",
    content: "",
    tool_calls: calls.map((call) => ({
      ...(call.id === undefined ? {} : { id: call.id }),
      function: { name: call.name, arguments: call.arguments },
    })),
  }),
  results: (answers) =>
    answers.map((answer): JsonObject => {
      const images = imagesIn(answer).map(({ base64 }) => base64);
      return {
        role: "tool",
        ...(answer.call.name === undefined ? {} : { tool_name: answer.call.name }),
        ...(answer.call.id === undefined ? {} : { tool_call_id: answer.call.id }),
        content: answer.text,
        ...(images.length > 0 ? { images } : {}),
      };
    }),
};

interface Message {
  readonly calls: readonly Json[];
  readonly isCut: boolean;
}

function messageCalls(reply: ReplyJson): ReplyCalls | undefined {
  const message = messageOf(reply);
  if (!message) return undefined;
  return {
    calls: message.calls.map((call, index) => {
      const called = field(call, "function");
      return readCall(
        {
          id: field(call, "id"),
          name: field(called, "name"),
          arguments: field(called, "arguments"),
          problem: message.isCut && index === message.calls.length - 1 ? CUT_OFF : undefined,
        },
        reply,
      );
    }),
  };
}

/** Reads a message. Arguments are objects here, which distinguishes these calls from OpenAI's. */
function messageOf(reply: ReplyJson): Message | undefined {
  const bodies = reply.values;
  // `/api/chat` streams lines of JSON, each with a `message`; calls in them are complete.
  if (
    bodies.length > 0 &&
    bodies.every(
      (body) =>
        isJsonObject(field(body, "message")) &&
        (typeof field(body, "created_at") === "string" || typeof field(body, "done") === "boolean"),
    )
  ) {
    const last = bodies.at(-1);
    return {
      calls: bodies.flatMap((body) => items(field(field(body, "message"), "tool_calls"))),
      isCut: textField(last, "done_reason") === "length",
    };
  }
  const [value] = bodies;
  if (reply.isStream || value === undefined) return undefined;
  const calls = Array.isArray(value)
    ? (value as readonly Json[])
    : isToolCall(value)
      ? [value]
      : items(field(value, "tool_calls"));
  return calls.length > 0 &&
    calls.every(
      (call) =>
        isToolCall(call) &&
        isJsonObject(field(field(call, "function"), "arguments")) &&
        field(call, "type") === undefined,
    )
    ? { calls, isCut: false }
    : undefined;
}
