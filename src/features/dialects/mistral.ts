// Mistral. https://docs.mistral.ai/capabilities/function_calling
import type { Json, JsonObject } from "../../core/schema/json.ts";
import { apiName } from "../../core/tool/api-name.ts";
import { chatCallMessage, chatCalls, chatMessage } from "./chat-calls.ts";
import { type ApiDialect, type ReplyJson, textField } from "./dialect.ts";
import { imagesIn } from "./images.ts";
import { modelDescription, schemaForModels } from "./model-description.ts";
import type { ModelCall } from "./model-call.ts";

export const mistral: ApiDialect = {
  name: "mistral",
  declarations: (tools) =>
    tools.map((tool) => ({
      type: "function",
      function: {
        name: apiName(tool.definition.name.value),
        description: modelDescription(tool.definition),
        parameters: schemaForModels(tool),
      },
    })),
  recognises: isOfMistral,
  calls: chatCalls,
  callMessage: (calls) => ({ ...chatCallMessage(calls, mistralId), content: "" }),
  results: (answers) =>
    answers.map((answer, index): JsonObject => {
      const images = imagesIn(answer).map(({ url }): JsonObject => ({ type: "image_url", image_url: url }));
      return {
        role: "tool",
        tool_call_id: mistralId(answer.call, index),
        ...(answer.call.name === undefined ? {} : { name: answer.call.name }),
        content: images.length > 0 ? [{ type: "text", text: answer.text }, ...images] : answer.text,
      };
    }),
};

/** The API's message: "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9". */
const ID = /^[a-zA-Z0-9]{9}$/;
const MODEL = /^(?:mistral|ministral|magistral|codestral|devstral|pixtral|voxtral|open-mi[sx]t)/;

function mistralId(call: ModelCall, index: number): string {
  return call.id ?? `call${String(index + 1).padStart(5, "0")}`;
}

/** Returns whether a reply is Mistral's, which differs from OpenAI's only in its models and ids. */
function isOfMistral(reply: ReplyJson): boolean {
  const message = chatMessage(reply);
  if (!message || "problem" in message) return false;
  if (reply.values.some((value) => MODEL.test(textField(value, "model") ?? ""))) return true;
  return message.calls.length > 0 && message.calls.every((call: Json) => ID.test(textField(call, "id") ?? ""));
}
