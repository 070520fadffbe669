// A provider of the configuration as a model of the AI SDK. Only this file loads its packages for the two request
// formats; they translate messages, read streams and know what each model wants, and do no IO: see model-fetch.ts.
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { ModelApi } from "../models/model-api.ts";
import type { ApiProvider } from "../models/model-settings.ts";
import type { Host } from "../../core/tool/host.ts";
import { createModelFetch } from "./model-fetch.ts";

interface ApiModelOptions {
  readonly provider: ApiProvider;
  readonly model: string;
  readonly key: string | undefined;
  readonly host: Host;
}

export interface ApiModel {
  readonly api: ModelApi;
  /** Returns the parts of one reply, as they come or all at once. */
  ask(options: LanguageModelV4CallOptions): Promise<ReadableStream<LanguageModelV4StreamPart>>;
}

/** Sent if neither the SDK nor the configuration has a limit for the model; the Messages API requires one. */
const MAX_TOKENS_DEFAULT = 16_384;
/** The SDK's name of the provider in the metadata of parts. */
const METADATA_NAME = "model";

export async function createApiModel({ provider, model, key, host }: ApiModelOptions): Promise<ApiModel> {
  const isAnthropic = provider.kind === "anthropic";
  const api = isAnthropic
    ? (await import("../models/model-anthropic.ts")).anthropicApi
    : (await import("../models/model-openai.ts")).openAiApi;
  const fetch = createModelFetch({ api, provider, key, host }) as typeof globalThis.fetch;
  const language = isAnthropic ? await anthropicModel(model, fetch) : await openAiModel(provider, model, fetch);
  return {
    api,
    ask: (options) =>
      provider.streams ? stream(language, settings(options, provider)) : whole(language, settings(options, provider)),
  };
}

function settings(
  options: LanguageModelV4CallOptions,
  { kind, maxTokens, temperature }: ApiProvider,
): LanguageModelV4CallOptions {
  const limit = maxTokens ?? (kind === "anthropic" ? MAX_TOKENS_DEFAULT : undefined);
  return {
    ...options,
    ...(limit === undefined ? {} : { maxOutputTokens: limit }),
    ...(temperature === undefined ? {} : { temperature }),
    // A field of newer models that other servers of this API refuse; arguments are read when they are complete.
    ...(kind === "anthropic" ? { providerOptions: { anthropic: { toolStreaming: false } } } : {}),
  };
}

/**
 * The addresses and keys given here are not used: the fetch has its own, and without them the SDK would look into the
 * environment.
 */
async function anthropicModel(model: string, fetch: typeof globalThis.fetch): Promise<LanguageModelV4> {
  const { createAnthropic } = await import("@ai-sdk/anthropic");
  return createAnthropic({ baseURL: "http://localhost/v1", apiKey: "none", fetch })(model);
}

async function openAiModel(
  { url }: ApiProvider,
  model: string,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModelV4> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  // OpenAI's newer models accept only the one name, and most other servers only the other.
  const isOpenAi = new URL(url).hostname === "api.openai.com";
  const renamed = ({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> =>
    max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens };
  return createOpenAICompatible({
    name: METADATA_NAME,
    baseURL: "http://localhost/v1",
    includeUsage: true,
    fetch,
    ...(isOpenAi ? { transformRequestBody: renamed } : {}),
  })(model);
}

async function stream(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
): Promise<ReadableStream<LanguageModelV4StreamPart>> {
  return (await model.doStream(options)).stream;
}

/** Returns a complete answer as the parts that a stream would have had. */
async function whole(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
): Promise<ReadableStream<LanguageModelV4StreamPart>> {
  const { content, finishReason, usage } = await model.doGenerate(options);
  return new ReadableStream({
    start: (controller) => {
      for (const [index, part] of content.entries()) {
        const id = String(index);
        const metadata = part.providerMetadata ? { providerMetadata: part.providerMetadata } : {};
        if (part.type === "tool-call") controller.enqueue(part);
        if (part.type !== "text" && part.type !== "reasoning") continue;
        controller.enqueue({ type: `${part.type}-start`, id });
        controller.enqueue({ type: `${part.type}-delta`, id, delta: part.text });
        controller.enqueue({ type: `${part.type}-end`, id, ...metadata });
      }
      controller.enqueue({ type: "finish", finishReason, usage });
      controller.close();
    },
  });
}
