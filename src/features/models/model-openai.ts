// The Chat Completions API of OpenAI, which many servers speak: Ollama, vLLM, llama.cpp, LM Studio and others. Format:
// platform.openai.com/docs/api-reference/chat (create, the chat completion object, streaming);
// docs.ollama.com/api/openai-compatibility.
import { type Json, isJsonObject } from "../../core/schema/json.ts";
import type { Stop } from "./model-answer.ts";
import type { ApiPiece, ModelApi } from "./model-api.ts";
import type { ApiError, AskedApi } from "./model-api-error.ts";
import { arrayAt, textAt, valueAt } from "../web/web-results.ts";

/** Any other reason is another server's word for the end. */
const STOPS: ReadonlyMap<string, Stop> = new Map([
  ["length", "cut"],
  ["content_filter", "refused"],
  ["tool_calls", "unfinished"],
  ["function_call", "unfinished"],
]);

export const openAiApi: ModelApi = {
  endpoint: (url) => `${url}/chat/completions`,
  headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  body: (asked) => {
    const { question, provider, model } = asked;
    const temperature = question.temperature ?? provider.temperature;
    const maxTokens = openAiApi.maxTokens(asked);
    return {
      model,
      messages: [
        ...(question.system === undefined ? [] : [{ role: "system", content: question.system }]),
        { role: "user", content: question.prompt },
      ],
      stream: provider.streams,
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxTokens === undefined ? {} : { [tokensField(asked)]: maxTokens }),
    };
  },
  maxTokens: ({ question, provider }) => question.maxTokens ?? provider.maxTokens,
  whole: (body) => {
    const [choice = null] = arrayAt(body, "choices");
    return pieceOf(body, {
      text: textOf(valueAt(choice, ["message", "content"])),
      refusal: textAt(choice, "message", "refusal"),
      choice,
      isEnd: choice !== null,
    });
  },
  event: (data) => {
    const [choice = null] = arrayAt(data, "choices");
    return pieceOf(data, {
      text: textOf(valueAt(choice, ["delta", "content"])),
      refusal: textAt(choice, "delta", "refusal"),
      choice,
      isEnd: false,
    });
  },
};

/**
 * Returns the name of the token limit. OpenAI's newer models accept only one name, and most other servers only the
 * other.
 */
function tokensField({ provider }: AskedApi): string {
  return new URL(provider.url).hostname === "api.openai.com" ? "max_completion_tokens" : "max_tokens";
}

interface Read {
  readonly text: string | undefined;
  readonly refusal: string | undefined;
  readonly choice: Json;
  readonly isEnd: boolean;
}

function pieceOf(body: Json, { text, refusal, choice, isEnd }: Read): ApiPiece {
  const reason = textAt(choice, "finish_reason");
  const error = errorOf(body);
  return {
    isEnd,
    ...(text === undefined ? {} : { text }),
    ...(refusal === undefined ? {} : { refusal }),
    ...(reason === undefined || reason === "" ? {} : { stop: STOPS.get(reason) ?? "done" }),
    ...(error === undefined ? {} : { error }),
  };
}

/** `{error: {message, type, code}}`; a plain text under `error`, `message` or `detail` at some servers. */
function errorOf(body: Json): ApiError | undefined {
  const error = valueAt(body, ["error"]);
  if (isJsonObject(error)) {
    const message = textAt(error, "message");
    return {
      ...(message === undefined ? {} : { message }),
      types: [textAt(error, "type"), textAt(error, "code")].filter((type) => type !== undefined),
    };
  }
  const message =
    textAt(body, "error") ??
    (arrayAt(body, "choices").length > 0 ? undefined : (textAt(body, "message") ?? textAt(body, "detail")));
  return message === undefined ? undefined : { message };
}

/** Returns the text of a content, or of those of its parts that are texts. */
function textOf(content: Json | undefined): string | undefined {
  if (Array.isArray(content)) return content.map((part: Json) => textAt(part, "text") ?? "").join("");
  return typeof content === "string" ? content : undefined;
}
