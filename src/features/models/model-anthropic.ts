// The Messages API of Anthropic. Format: platform.claude.com/docs/en/api/messages, …/build-with-claude/streaming,
// …/build-with-claude/handling-stop-reasons, …/api/versioning.
import { isJsonObject, type Json } from "../../core/schema/json.ts";
import type { Stop } from "./model-answer.ts";
import type { ApiPiece, ModelApi } from "./model-api.ts";
import type { ApiError } from "./model-api-error.ts";
import { arrayAt, textAt, valueAt } from "../web/web-results.ts";

/**
 * The version that servers other than Anthropic's know too, and the last that takes `temperature`; `version` of the
 * provider names another.
 */
const VERSION_DEFAULT = "2023-06-01";
/** The limit that is sent by default. The API requires one, and every model supports this one. */
const MAX_TOKENS_DEFAULT = 4_096;

/** Reasons that are not listed are the end of a turn. */
const STOPS: ReadonlyMap<string, Stop> = new Map([
  ["max_tokens", "cut"],
  ["model_context_window_exceeded", "full"],
  ["refusal", "refused"],
  ["tool_use", "unfinished"],
  ["pause_turn", "unfinished"],
]);

export const anthropicApi: ModelApi = {
  endpoint: (url) => `${url.replace(/\/v1$/, "")}/v1/messages`,
  headers: (key, { version }) => ({
    "anthropic-version": version ?? VERSION_DEFAULT,
    ...(key === undefined ? {} : { "x-api-key": key }),
  }),
  body: (asked) => {
    const { question, provider, model } = asked;
    const temperature = question.temperature ?? provider.temperature;
    return {
      model,
      max_tokens: anthropicApi.maxTokens(asked) ?? MAX_TOKENS_DEFAULT,
      messages: [{ role: "user", content: question.prompt }],
      stream: provider.streams,
      ...(question.system === undefined ? {} : { system: question.system }),
      ...(temperature === undefined ? {} : { temperature }),
    };
  },
  maxTokens: ({ question, provider }) => question.maxTokens ?? provider.maxTokens ?? MAX_TOKENS_DEFAULT,
  whole: (body) => {
    const text = arrayAt(body, "content")
      .map((block) => (textAt(block, "type") === "text" ? (textAt(block, "text") ?? "") : ""))
      .join("");
    return {
      ...stopped(textAt(body, "stop_reason")),
      ...errorOf(body),
      text,
      isEnd: textAt(body, "type") === "message",
    };
  },
  // Kinds of events and of blocks may be added at any time. Unknown ones are ignored.
  event: (data): ApiPiece => {
    switch (textAt(data, "type")) {
      case "content_block_start":
        return textAt(data, "content_block", "type") === "text"
          ? { text: textAt(data, "content_block", "text") ?? "" }
          : {};
      case "content_block_delta":
        return textAt(data, "delta", "type") === "text_delta" ? { text: textAt(data, "delta", "text") ?? "" } : {};
      case "message_delta":
        return stopped(textAt(data, "delta", "stop_reason"));
      case "message_stop":
        return { isEnd: true };
      case "error":
        return errorOf(data);
      default:
        return {};
    }
  },
};

function stopped(reason: string | undefined): ApiPiece {
  return reason === undefined ? {} : { stop: STOPS.get(reason) ?? "done" };
}

/** `{type: "error", error: {type, message}}`. */
function errorOf(body: Json): { readonly error?: ApiError } {
  const error = valueAt(body, ["error"]);
  if (!isJsonObject(error)) return {};
  const message = textAt(error, "message");
  return { error: { ...(message === undefined ? {} : { message }), types: [textAt(error, "type") ?? ""] } };
}
