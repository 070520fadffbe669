// Asks the model for its next reply: tries again if the API is busy or its answer stops in the middle, and returns a
// failure if that does not help.
import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { apiFailure, type ApiError, nextAttempt } from "../models/model-api-error.ts";
import type { ApiProvider } from "../models/model-settings.ts";
import { isJsonObject, type Json } from "../../core/schema/json.ts";
import { textAt } from "../web/web-results.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { Host } from "../../core/tool/host.ts";
import type { ApiModel } from "./api-model.ts";
import type { Entry, ReplyEntry } from "./entry.ts";
import { ModelTrouble } from "./model-fetch.ts";
import { promptOf, type ToolForm } from "./prompt.ts";
import { type ReadReply, readReply } from "./read-reply.ts";

export interface AgentModel {
  readonly api: ApiModel;
  readonly provider: ApiProvider;
  /** The provider's name. */
  readonly name: string;
  readonly model: string;
  /** `from` is the source of the key, for messages. */
  readonly key: { readonly value?: string; readonly from?: string };
  readonly configPath: string;
}

interface AskOptions {
  readonly entries: readonly Entry[];
  readonly system: string;
  readonly form: ToolForm;
  /** Whether the model does not support images. */
  readonly isBlind: boolean;
  readonly tools: readonly LanguageModelV4FunctionTool[];
  readonly host: Host;
  readonly signal: AbortSignal;
  onText(text: string): void | Promise<void>;
  /** Reports a fact that a person may want to know while waiting. */
  onNote(text: string): void | Promise<void>;
}

export type Asked =
  | { readonly kind: "reply"; readonly reply: ReplyEntry }
  /** The conversation is too long for the model. */
  | { readonly kind: "full"; readonly failure: Failure }
  | { readonly kind: "no-tools" }
  | { readonly kind: "no-images" }
  | { readonly kind: "failed"; readonly failure: Failure };

const ATTEMPTS_MAX = 4;
/** Token limits are per minute, so this is long enough to wait for the next one. */
const WAIT_MS_MAX = 65_000;

export async function askModel(model: AgentModel, options: AskOptions): Promise<Asked> {
  for (let attempt = 1; ; attempt++) {
    const round = await askOnce(model, options);
    if (options.signal.aborted) return { kind: "failed", failure: { kind: "cancelled" } };
    if ("asked" in round) return round.asked;
    const { error } = round;
    if (
      !options.isBlind &&
      hasNoImages(error) &&
      options.entries.some((entry) => entry.kind === "result" && entry.images)
    )
      return { kind: "no-images" };
    const next = nextAttempt(error, {
      attempt,
      attemptsMax: ATTEMPTS_MAX,
      name: model.name,
      now: options.host.timestamp(),
      waitMsMax: WAIT_MS_MAX,
    });
    if (!next) return finalAnswer(error, model);
    await options.onNote(next.note);
    await options.host.sleep(next.delayMs, options.signal);
    if (options.signal.aborted) return { kind: "failed", failure: { kind: "cancelled" } };
  }
}

type Round = { readonly asked: Asked } | { readonly error: ApiError };

async function askOnce(
  model: AgentModel,
  { entries, system, form, isBlind, tools, signal, onText }: AskOptions,
): Promise<Round> {
  const id = `${model.name}/${model.model}`;
  try {
    const prompt = promptOf(entries, { system, model: id, form, isBlind });
    if (model.provider.kind === "anthropic") keepForNext(prompt);
    const stream = await model.api.ask({
      prompt,
      ...(form === "text" ? {} : { tools: [...tools] }),
      abortSignal: signal,
    });
    return roundOf(await readReply(stream, onText), id, model);
  } catch (error) {
    if (signal.aborted) return { asked: { kind: "failed", failure: { kind: "cancelled" } } };
    return troubleOf(error, model);
  }
}

/**
 * Marks the prompt for caching, because each request repeats the one before it. Anthropic caches up to such a mark, at
 * a tenth of the price; other APIs cache by themselves.
 */
function keepForNext(prompt: LanguageModelV4Prompt): void {
  for (const message of [prompt[0], prompt.at(-1)])
    if (message) message.providerOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };
}

function roundOf({ parts, finish, tokens }: ReadReply, id: string, model: AgentModel): Round {
  switch (finish.kind) {
    case "stopped":
      return {
        asked: {
          kind: "reply",
          reply: { kind: "reply", model: id, parts, stop: finish.stop, ...(tokens ? { tokens } : {}) },
        },
      };
    case "broken":
      return { error: BROKEN };
    case "error":
      return troubleOf(finish.error, model);
  }
}

/** A server that stops in the middle is asked again. */
const BROKEN: ApiError = { lost: "answer" };

function troubleOf(error: unknown, model: AgentModel): Round {
  const trouble = modelTroubleIn(error);
  if (trouble?.kind === "failure") return { asked: { kind: "failed", failure: trouble.failure } };
  if (trouble?.kind === "error") return { error: trouble.error };
  const said = trouble ? undefined : streamError(error);
  if (said) return { error: said };
  const { name, configPath, provider } = model;
  return {
    asked: {
      kind: "failed",
      failure: {
        kind: "network",
        url: model.api.api.endpoint(provider.url),
        reason: `\`${name}\` does not answer like an API of kind \`${provider.kind}\``,
        help: [`check \`url\` and \`kind\` of \`${name}\` in \`${configPath}\``],
      },
    },
  };
}

/** The SDK wraps what its fetch throws. */
function modelTroubleIn(error: unknown): ModelTrouble["trouble"] | undefined {
  for (let inner = error, depth = 0; inner instanceof Error && depth < CAUSES_MAX; inner = inner.cause, depth++)
    if (inner instanceof ModelTrouble) return inner.trouble;
  return undefined;
}

const CAUSES_MAX = 8;

/** Reads an error in the middle of a stream: the API's own object, or an error of the SDK that contains it. */
function streamError(error: unknown): ApiError | undefined {
  const said = !(error instanceof Error)
    ? error
    : "data" in error
      ? error.data
      : "responseBody" in error
        ? parsed(error.responseBody)
        : undefined;
  if (!isJsonObject(said)) return undefined;
  const inner: Json = isJsonObject(said["error"]) ? said["error"] : said;
  const message = textAt(inner, "message");
  const types = [textAt(inner, "type"), textAt(inner, "code")].filter((type) => type !== undefined);
  return message === undefined && types.length === 0
    ? undefined
    : { ...(message === undefined ? {} : { message }), types };
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

function finalAnswer(error: ApiError, model: AgentModel): Asked {
  const { name, configPath, provider, key } = model;
  const asked = { question: { provider: name, configPath, prompt: "" }, provider, model: model.model };
  const failure = apiFailure(error, asked, {
    endpoint: model.api.api.endpoint(provider.url),
    key: { kind: "key", ...key },
  });
  if (isTooLong(error)) return { kind: "full", failure };
  return hasNoTools(error) ? { kind: "no-tools" } : { kind: "failed", failure };
}

/** Checks the message, because APIs have no common code for this. */
function isTooLong({ status, types = [], message = "" }: ApiError): boolean {
  return (
    status === 413 ||
    types.some((type) => /context_length_exceeded|exceed_context_size/.test(type)) ||
    (status === 400 && /prompt is too long|maximum context length|context (?:window|size)/i.test(message))
  );
}

function hasNoImages({ status = 0, message = "" }: ApiError): boolean {
  return (
    status >= 400 && status !== 401 && status !== 429 && /\bimages?\b|image_url|vision|multi-?modal/i.test(message)
  );
}

function hasNoTools({ status, message = "" }: ApiError): boolean {
  return (
    status === 400 &&
    /does not support (?:tools|function)|tool(?:s| use| calling) (?:is|are) not supported/i.test(message)
  );
}
