// Asks the model for its next reply, and tells what keeps it from one and the loop can change.
import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ApiModel } from "../models/api-model.ts";
import { askApi } from "../models/ask-api.ts";
import type { ApiError } from "../models/model-api-error.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { Host } from "../../core/tool/host.ts";
import type { Entry, ReplyEntry } from "./entry.ts";
import { promptOf, type ToolForm } from "./prompt.ts";

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

export async function askModel(model: ApiModel, options: AskOptions): Promise<Asked> {
  const { entries, system, form, isBlind, tools, host, signal, onText, onNote } = options;
  const id = `${model.name}/${model.model}`;
  const prompt = promptOf(entries, { system, model: id, form, isBlind });
  if (model.provider.kind === "anthropic") keepForNext(prompt);
  const isImageTrouble = (error: ApiError): boolean =>
    !isBlind && hasNoImages(error) && entries.some((entry) => entry.kind === "result" && entry.images);
  const answer = await askApi(
    model,
    { prompt, ...(form === "text" ? {} : { tools: [...tools] }) },
    { host, signal, attemptsMax: ATTEMPTS_MAX, waitMsMax: WAIT_MS_MAX, onText, onNote, isFinal: isImageTrouble },
  );
  if ("reply" in answer) {
    const { parts, stop, tokens } = answer.reply;
    const reply = { parts, stop: stop === "unfinished" ? "done" : stop, ...(tokens ? { tokens } : {}) } as const;
    return { kind: "reply", reply: { kind: "reply", model: id, ...reply } };
  }
  const { error, failure } = answer;
  if (error && isImageTrouble(error)) return { kind: "no-images" };
  if (error && isTooLong(error)) return { kind: "full", failure };
  return error && hasNoTools(error) ? { kind: "no-tools" } : { kind: "failed", failure };
}

/**
 * Marks the prompt for caching, because each request repeats the one before it. Anthropic caches up to such a mark, at
 * a tenth of the price; other APIs cache by themselves.
 */
function keepForNext(prompt: LanguageModelV4Prompt): void {
  for (const message of [prompt[0], prompt.at(-1)])
    if (message) message.providerOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };
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
