// A provider of the configuration as a model of the AI SDK. Only this file loads its packages for the two request
// formats; they translate messages, read streams and know what each model wants, and do no IO: see model-fetch.ts.
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Host } from "../../core/tool/host.ts";
import type { AskedModel } from "./model-api-error.ts";
import { createModelFetch, modelTroubleIn } from "./model-fetch.ts";
import type { ApiProvider } from "./model-settings.ts";
import { type ReadReply, readReply } from "./read-reply.ts";

export interface ApiModel extends AskedModel {
  readonly provider: ApiProvider;
  /** Asks once. `onText` gets the text, as it comes. Throws if there is no answer. */
  ask(options: LanguageModelV4CallOptions, onText: (text: string) => void | Promise<void>): Promise<ReadReply>;
}

interface ApiModelOptions extends Omit<AskedModel, "endpoint"> {
  readonly provider: ApiProvider;
  readonly host: Host;
  /** The limit of tokens for the Messages API, which requires one, if neither the caller nor the user has any. */
  readonly tokensDefault: number;
  /** Whether the API is asked what a reply costs. */
  readonly countsTokens: boolean;
  readonly answerMsMax?: number;
}

type Fetch = typeof globalThis.fetch;

export function createApiModel(options: ApiModelOptions): ApiModel {
  const { provider, host, tokensDefault, countsTokens, answerMsMax, ...asked } = options;
  const isAnthropic = provider.kind === "anthropic";
  const model: AskedModel = {
    ...asked,
    endpoint: isAnthropic ? `${provider.url.replace(/\/v1$/, "")}/v1/messages` : `${provider.url}/chat/completions`,
  };
  const open = (fetch: Fetch): Promise<LanguageModelV4> =>
    isAnthropic ? anthropicModel(model.model, fetch) : openAiModel(options, fetch);
  return {
    ...model,
    provider,
    ask: async (given, onText) => {
      const settings = settingsOf(given, { provider, tokensDefault });
      let hasEnd = false;
      const onEnd = (): void => void (hasEnd = true);
      const language = await open(createModelFetch({ model, provider, host, answerMsMax, onEnd }));
      const stream = provider.streams ? await streamed(language, settings, open) : await whole(language, settings);
      return readReply(stream, onText, () => hasEnd);
    },
  };
}

function settingsOf(
  options: LanguageModelV4CallOptions,
  { provider, tokensDefault }: Pick<ApiModelOptions, "provider" | "tokensDefault">,
): LanguageModelV4CallOptions {
  const isAnthropic = provider.kind === "anthropic";
  const limit = options.maxOutputTokens ?? provider.maxTokens ?? (isAnthropic ? tokensDefault : undefined);
  const temperature = options.temperature ?? provider.temperature;
  return {
    ...options,
    ...(limit === undefined ? {} : { maxOutputTokens: limit }),
    ...(temperature === undefined ? {} : { temperature }),
    // A field of newer models that other servers of this API refuse; arguments are read when they are complete.
    ...(isAnthropic ? { providerOptions: { anthropic: { toolStreaming: false } } } : {}),
  };
}

/**
 * The addresses and keys given here are not used: the fetch has its own, and without them the SDK would look into the
 * environment.
 */
async function anthropicModel(model: string, fetch: Fetch): Promise<LanguageModelV4> {
  const { createAnthropic } = await import("@ai-sdk/anthropic");
  return createAnthropic({ baseURL: "http://localhost/v1", apiKey: "none", fetch })(model);
}

async function openAiModel({ provider, model, countsTokens }: ApiModelOptions, fetch: Fetch): Promise<LanguageModelV4> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  // OpenAI's newer models accept only the one name, and most other servers only the other.
  const isOpenAi = new URL(provider.url).hostname === "api.openai.com";
  const renamed = ({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> =>
    max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens };
  return createOpenAICompatible({
    name: "model",
    baseURL: "http://localhost/v1",
    includeUsage: countsTokens,
    fetch,
    ...(isOpenAi ? { transformRequestBody: renamed } : {}),
  })(model);
}

async function streamed(
  model: LanguageModelV4,
  settings: LanguageModelV4CallOptions,
  open: (fetch: Fetch) => Promise<LanguageModelV4>,
): Promise<ReadableStream<LanguageModelV4StreamPart>> {
  try {
    return (await model.doStream(settings)).stream;
  } catch (error) {
    // Some servers do not stream.
    const trouble = modelTroubleIn(error);
    if (trouble?.kind !== "whole") throw error;
    return whole(await open(async () => new Response(trouble.body)), settings);
  }
}

/** Returns a complete answer as the parts that a stream would have had. */
async function whole(
  model: LanguageModelV4,
  settings: LanguageModelV4CallOptions,
): Promise<ReadableStream<LanguageModelV4StreamPart>> {
  const { content, finishReason, usage, warnings } = await model.doGenerate(settings);
  return new ReadableStream({
    start: (controller) => {
      controller.enqueue({ type: "stream-start", warnings });
      for (const [index, part] of content.entries()) {
        const id = String(index);
        const metadata = part.providerMetadata ? { providerMetadata: part.providerMetadata } : {};
        if (part.type === "tool-call") controller.enqueue(part);
        if (part.type !== "text" && part.type !== "reasoning") continue;
        controller.enqueue({ type: `${part.type}-start`, id });
        controller.enqueue({ type: `${part.type}-delta`, id, delta: part.text });
        controller.enqueue({ type: `${part.type}-end`, id, ...metadata });
      }
      const { unified, raw = "whole" } = finishReason;
      controller.enqueue({ type: "finish", finishReason: { unified, raw }, usage });
      controller.close();
    },
  });
}
