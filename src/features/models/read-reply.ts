// Reads one reply of a model from the parts of a stream. A reply without an end is not a reply.
import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import { textAt } from "../web/web-results.ts";

/** `metadata` is data that the API wants back with the part, such as a signature; nothing else reads it. */
export type ReplyPart = TextPart | CallPart;

export interface TextPart {
  readonly type: "text" | "reasoning";
  readonly text: string;
  readonly metadata?: JsonObject;
}

export interface CallPart {
  readonly type: "call";
  readonly id: string;
  readonly name: string;
  /** JSON, if the model wrote it correctly. */
  readonly arguments: string;
  readonly metadata?: JsonObject;
}

/** Why a model stopped. */
export type Stop =
  | "done"
  /** It reached the limit of tokens. */
  | "cut"
  | "refused"
  /** Prompt and answer fill the whole context of the model. */
  | "full"
  /** It wants a tool, or to continue later. */
  | "unfinished";

export interface Tokens {
  /** All input tokens. */
  readonly input: number;
  readonly output: number;
  /** The parts of the input that the API read from its cache, and that it wrote to its cache. */
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface ReadReply {
  readonly parts: readonly ReplyPart[];
  readonly finish: Finish;
  readonly tokens?: Tokens;
  /** What the model does not support of what was asked for. */
  readonly warnings: readonly string[];
}

/** `broken`: the stream stopped in the middle, or has content that no API of its kind sends. */
type Finish =
  | { readonly kind: "stopped"; readonly stop: Stop }
  | { readonly kind: "broken" }
  | { readonly kind: "error"; readonly error: unknown };

/**
 * `onText` gets the text, as it comes. `hasEnd` tells whether the stream said that it is complete in another way than by
 * a reason to stop.
 */
export async function readReply(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  onText: (text: string) => void | Promise<void>,
  hasEnd: () => boolean,
): Promise<ReadReply> {
  const draft = new Draft();
  for await (const part of stream) {
    draft.take(part);
    if (part.type === "text-delta") await onText(part.delta);
  }
  return draft.reply(hasEnd());
}

interface Block {
  readonly type: "text" | "reasoning";
  text: string;
  metadata: JsonObject;
}

class Draft {
  /** The parts in the order in which they begin. */
  readonly #parts: (Block | CallPart)[] = [];
  readonly #open = new Map<string, Block>();
  readonly #ids = new Set<string>();
  #finish: LanguageModelV4FinishReason | undefined;
  #tokens: Tokens | undefined;
  #warnings: readonly string[] = [];
  #error: { readonly error: unknown } | undefined;

  take(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case "stream-start":
        this.#warnings = part.warnings.flatMap((warning) =>
          warning.type === "unsupported" ? [warning.details ?? `it does not support ${warning.feature}`] : [],
        );
        return;
      case "text-start":
      case "reasoning-start": {
        const block: Block = {
          type: part.type === "text-start" ? "text" : "reasoning",
          text: "",
          metadata: { ...metadataOf(part) },
        };
        this.#parts.push(block);
        this.#open.set(`${block.type} ${part.id}`, block);
        return;
      }
      case "text-delta":
        return this.#add(`text ${part.id}`, part.delta, part);
      case "reasoning-delta":
        return this.#add(`reasoning ${part.id}`, part.delta, part);
      case "text-end":
        return this.#add(`text ${part.id}`, "", part);
      case "reasoning-end":
        return this.#add(`reasoning ${part.id}`, "", part);
      case "tool-call": {
        const metadata = metadataOf(part);
        this.#parts.push({
          type: "call",
          id: this.#freshId(part.toolCallId),
          name: part.toolName,
          arguments: part.input,
          ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
        });
        return;
      }
      case "finish":
        this.#finish = part.finishReason;
        this.#tokens = tokensOf(part.usage);
        return;
      case "error":
        if (!isHarmless(part.error)) this.#error ??= { error: part.error };
        return;
    }
  }

  reply(hasEnd: boolean): ReadReply {
    const parts = this.#parts.flatMap((part): readonly ReplyPart[] => {
      if (part.type === "call") return [part];
      const { type, text, metadata } = part;
      return text === "" && Object.keys(metadata).length === 0
        ? []
        : [{ type, text, ...(Object.keys(metadata).length === 0 ? {} : { metadata }) }];
    });
    return {
      parts,
      finish: this.#error ? { kind: "error", ...this.#error } : finishOf(this.#finish, hasEnd),
      warnings: this.#warnings,
      ...(this.#tokens ? { tokens: this.#tokens } : {}),
    };
  }

  #add(key: string, text: string, part: { readonly providerMetadata?: unknown }): void {
    const block = this.#open.get(key);
    if (!block) return;
    block.text += text;
    block.metadata = merged(block.metadata, metadataOf(part));
  }

  /** Returns a unique id: each call is answered by its id, and some servers give none or the same twice. */
  #freshId(given: string): string {
    const base = given === "" ? "call" : given;
    let id = given === "" ? "call_1" : given;
    for (let count = 2; this.#ids.has(id); count++) id = `${base}_${count}`;
    this.#ids.add(id);
    return id;
  }
}

function metadataOf({ providerMetadata }: { readonly providerMetadata?: unknown }): JsonObject {
  return isJsonObject(providerMetadata) ? (JSON.parse(JSON.stringify(providerMetadata)) as JsonObject) : {};
}

/** Merges a provider's fields, which come one by one. */
function merged(before: JsonObject, added: JsonObject): JsonObject {
  return Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(added)])].map((name): [string, Json] => [
      name,
      { ...asObject(before[name]), ...asObject(added[name]) },
    ]),
  );
}

function asObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/**
 * Anthropic's events. If the SDK cannot read one of these, the reply is incomplete; an unknown event that was added
 * later is harmless.
 */
const EVENTS = new Set([
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
  "error",
  "ping",
]);

/** Returns whether it is a message of the SDK itself. The end of the reply shows whether it is complete. */
function isHarmless(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === "AI_InvalidResponseDataError") return true;
  const type =
    error.name === "AI_TypeValidationError" && "value" in error ? textAt(error.value as Json, "type") : undefined;
  return type !== undefined && !EVENTS.has(type);
}

function tokensOf({ inputTokens, outputTokens }: LanguageModelV4Usage): Tokens | undefined {
  const [input, output] = [inputTokens.total, outputTokens.total];
  return input === undefined || output === undefined
    ? undefined
    : { input, output, cacheRead: inputTokens.cacheRead ?? 0, cacheWrite: inputTokens.cacheWrite ?? 0 };
}

function finishOf(finish: LanguageModelV4FinishReason | undefined, hasEnd: boolean): Finish {
  const { unified, raw } = finish ?? { unified: "error", raw: undefined };
  switch (unified) {
    case "content-filter":
      return { kind: "stopped", stop: "refused" };
    case "length":
      return { kind: "stopped", stop: raw === "model_context_window_exceeded" ? "full" : "cut" };
    case "stop":
      return { kind: "stopped", stop: raw === "pause_turn" ? "unfinished" : "done" };
    case "tool-calls":
      return { kind: "stopped", stop: "unfinished" };
    default:
      // Some servers have their own words for the end; no word at all is the end of a broken stream.
      return hasEnd || (unified === "other" && raw !== undefined)
        ? { kind: "stopped", stop: "done" }
        : { kind: "broken" };
  }
}
