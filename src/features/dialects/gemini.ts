// Gemini. https://ai.google.dev/api/generate-content and https://ai.google.dev/gemini-api/docs/function-calling
import { givenParameters } from "../../core/schema/given-parameters.ts";
import type { Json, JsonObject } from "../../core/schema/json.ts";
import { apiName } from "../../core/tool/api-name.ts";
import { type ApiDialect, field, items, type ReplyCalls, type ReplyJson, textField } from "./dialect.ts";
import { imagesIn } from "./images.ts";
import { modelDescription, schemaForModels } from "./model-description.ts";
import { keepsOnly, portableSchema } from "./portable-schema.ts";
import { CUT_OFF, readCall } from "./read-call.ts";

/**
 * `parametersJsonSchema`, not `parameters`: that is a schema of OpenAPI, which has no closed objects and no objects
 * without properties. The keywords are those listed at
 * https://ai.google.dev/api/generate-content#FIELDS.response_json_schema.
 */
const keywords = keepsOnly([
  "type",
  "title",
  "enum",
  "items",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "properties",
  "required",
  "additionalProperties",
]);

export const gemini: ApiDialect = {
  name: "gemini",
  declarations: (tools) => [
    {
      functionDeclarations: tools.map((tool) => ({
        name: apiName(tool.definition.name.value),
        description: modelDescription(tool.definition),
        ...(givenParameters(tool.parameters, "model").length > 0
          ? { parametersJsonSchema: portableSchema(schemaForModels(tool), keywords) }
          : {}),
      })),
    },
  ],
  recognises: (reply) => partsOf(reply) !== undefined,
  calls: partCalls,
  callMessage: (calls) => ({
    role: "model",
    parts: calls.map((call) => ({
      functionCall: { ...(call.id === undefined ? {} : { id: call.id }), name: call.name, args: call.arguments },
    })),
  }),
  // The name connects a result to its call if the API gave no id. Images are separate parts, which every version
  // accepts.
  results: (answers) =>
    answers.length === 0
      ? []
      : [
          {
            role: "user",
            parts: answers.flatMap((answer): readonly JsonObject[] => [
              {
                functionResponse: {
                  ...(answer.call.id === undefined ? {} : { id: answer.call.id }),
                  name: answer.call.name ?? "unknown",
                  response: answer.isError ? { error: answer.text } : { output: answer.text },
                },
              },
              ...imagesIn(answer).map(
                ({ mediaType, base64 }): JsonObject => ({ inlineData: { mimeType: mediaType, data: base64 } }),
              ),
            ]),
          },
        ],
};

interface Parts {
  readonly parts: readonly Json[];
  readonly isCut: boolean;
  /** Present if the model wrote a call that the API could not read. */
  readonly malformed?: string;
}

function partCalls(reply: ReplyJson): ReplyCalls | undefined {
  const found = partsOf(reply);
  if (!found) return undefined;
  const last = found.parts.at(-1);
  const calls = found.parts.flatMap((part) => {
    const call = callIn(part);
    return call === undefined
      ? []
      : [
          readCall(
            {
              id: field(call, "id"),
              name: field(call, "name"),
              arguments: field(call, "args"),
              problem: part === last && found.isCut ? CUT_OFF : undefined,
            },
            reply,
          ),
        ];
  });
  return {
    calls:
      found.malformed === undefined
        ? calls
        : [...calls, readCall({ problem: `the API could not read the call: ${found.malformed}` }, reply)],
  };
}

/** Returns the call; programs that print with Python's names have `function_call`. */
function callIn(part: Json): Json | undefined {
  return field(part, "functionCall") ?? field(part, "function_call");
}

function partsOf(reply: ReplyJson): Parts | undefined {
  const bodies =
    reply.values.length === 1 && Array.isArray(reply.values[0]) ? (reply.values[0] as readonly Json[]) : reply.values;
  if (
    bodies.length > 0 &&
    bodies.every((body) => Array.isArray(field(body, "candidates")) || field(body, "usageMetadata") !== undefined) &&
    bodies.some((body) => Array.isArray(field(body, "candidates")))
  )
    return partsOfBodies(bodies);
  const [value] = reply.values;
  if (reply.isStream || value === undefined) return undefined;
  const parts =
    callIn(value) !== undefined && field(value, "role") === undefined
      ? [value]
      : field(value, "role") === "model" || Array.isArray(field(value, "parts"))
        ? items(field(value, "parts"))
        : Array.isArray(value) && value.some((part: Json) => callIn(part) !== undefined)
          ? value
          : undefined;
  return parts ? { parts, isCut: false } : undefined;
}

/**
 * Reads one body, or the pieces of a stream, whose calls are complete. Without a finish reason, the stream was cut off.
 */
function partsOfBodies(bodies: readonly Json[]): Parts {
  const candidates = bodies.map((body) => items(field(body, "candidates"))[0]);
  const finish = candidates
    .map((candidate) => textField(candidate, "finishReason") ?? textField(candidate, "finish_reason"))
    .findLast((reason) => reason !== undefined);
  const message = candidates
    .map((candidate) => textField(candidate, "finishMessage"))
    .findLast((text) => text !== undefined);
  return {
    parts: candidates.flatMap((candidate) => items(field(field(candidate, "content"), "parts"))),
    isCut: finish === "MAX_TOKENS",
    ...(finish === "MALFORMED_FUNCTION_CALL" ? { malformed: message ?? "send the arguments as one object" } : {}),
  };
}
