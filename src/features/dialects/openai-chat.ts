// OpenAI Chat Completions, and compatible servers. https://platform.openai.com/docs/api-reference/chat
import type { JsonObject } from "../../core/schema/json.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { apiName } from "../../core/tool/api-name.ts";
import { chatCallMessage, chatCalls, chatMessage } from "./chat-calls.ts";
import type { ApiDialect } from "./dialect.ts";
import { imagesIn } from "./images.ts";
import { modelDescription, schemaForModels } from "./model-description.ts";
import { idOf } from "./read-call.ts";
import { openaiStrictSchemas } from "./strict-schema.ts";

/** "Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024" (the API). */
const DESCRIPTION_CHARACTERS_MAX = 1_024;

export const openaiChat: ApiDialect = {
  name: "openai",
  // The reference of `tools`: "A max of 128 functions are supported".
  toolsMax: 128,
  declarations: (tools) =>
    tools.map((tool) => ({ type: "function", function: describedFunction(tool, schemaForModels(tool)) })),
  strictDeclarations: (tools) => {
    const { schemas, problems } = openaiStrictSchemas(tools);
    if (problems.length > 0) return { problems };
    return {
      declarations: tools.map((tool, index) => ({
        type: "function",
        function: { ...describedFunction(tool, schemas[index] ?? {}), strict: true },
      })),
    };
  },
  recognises: (reply) => chatMessage(reply) !== undefined,
  calls: chatCalls,
  callMessage: (calls) => chatCallMessage(calls, idOf),
  results: (answers) => {
    // The API accepts images only from users.
    const images = answers.flatMap((answer, index) =>
      imagesIn(answer).map(
        (image): JsonObject => ({ text: `An image from the result of ${idOf(answer.call, index)}:`, url: image.url }),
      ),
    );
    const shown = images.flatMap(({ text, url }): readonly JsonObject[] => [
      { type: "text", text: text ?? "" },
      { type: "image_url", image_url: { url: url ?? "" } },
    ]);
    return [
      ...answers.map(
        (answer, index): JsonObject => ({
          role: "tool",
          tool_call_id: idOf(answer.call, index),
          content: answer.text,
        }),
      ),
      ...(shown.length > 0 ? [{ role: "user", content: shown }] : []),
    ];
  },
};

/** Moves text that does not fit the description to that of the schema, which has no such limit. */
export function describedFunction(
  tool: Tool,
  schema: JsonObject,
): { readonly name: string; readonly description: string; readonly parameters: JsonObject } {
  const description = modelDescription(tool.definition);
  const [start, rest] = splitAt(description, DESCRIPTION_CHARACTERS_MAX);
  const own = typeof schema["description"] === "string" ? schema["description"] : "";
  const more = [rest, own].filter((text) => text !== "").join("\n\n");
  return {
    name: apiName(tool.definition.name.value),
    description: start,
    parameters: { ...schema, ...(more === "" ? {} : { description: more }) },
  };
}

/** Splits text at the end of a paragraph, a line, a sentence or a word. */
function splitAt(text: string, charactersMax: number): readonly [start: string, rest: string] {
  if (text.length <= charactersMax) return [text, ""];
  const window = text.slice(0, charactersMax);
  const end =
    ["\n\n", "\n", ". ", " "]
      .map((mark) => window.lastIndexOf(mark) + mark.trimEnd().length)
      .find((at) => at > charactersMax / 2) ?? charactersMax;
  return [text.slice(0, end).trimEnd().toWellFormed(), text.slice(end).trimStart().toWellFormed()];
}
