// Reads one reply of a model from the parts of a stream. A reply without an end is not a reply.
import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import { textAt } from "../web/web-results.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import type { CallPart, ReplyPart, ReplyStop, Tokens } from "./entry.ts";

export interface ReadReply {
  readonly parts: readonly ReplyPart[];
  readonly finish: Finish;
  readonly tokens?: Tokens;
}

/** `broken`: the stream stopped in the middle, or has content that no API of its kind sends. */
type Finish =
  | { readonly kind: "stopped"; readonly stop: ReplyStop }
  | { readonly kind: "broken" }
  | { readonly kind: "error"; readonly error: unknown };

/** `onText`: gets the text, as it comes. */
export async function readReply(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  onText: (text: string) => void | Promise<void>,
): Promise<ReadReply> {
  const draft = new Draft();
  for await (const part of stream) {
    draft.take(part);
    if (part.type === "text-delta") await onText(part.delta);
  }
  return draft.reply();
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
  #error: { readonly error: unknown } | undefined;

  take(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
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

  reply(): ReadReply {
    const parts = this.#parts.flatMap((part): readonly ReplyPart[] => {
      if (part.type === "call") return [part];
      const { type, text, metadata } = part;
      return text === "" && Object.keys(metadata).length === 0
        ? []
        : [{ type, text, ...(Object.keys(metadata).length === 0 ? {} : { metadata }) }];
    });
    return {
      parts,
      finish: this.#error ? { kind: "error", ...this.#error } : finishOf(this.#finish),
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

function finishOf(finish: LanguageModelV4FinishReason | undefined): Finish {
  switch (finish?.unified) {
    case undefined:
    case "error":
    case "interrupted":
      return { kind: "broken" };
    case "content-filter":
      return { kind: "stopped", stop: "refused" };
    case "length":
      return { kind: "stopped", stop: finish.raw === "model_context_window_exceeded" ? "full" : "cut" };
    case "stop":
    case "tool-calls":
      return { kind: "stopped", stop: "done" };
    case "other":
      // Some servers have their own words for the end; no word at all is the end of a broken stream.
      return finish.raw === undefined ? { kind: "broken" } : { kind: "stopped", stop: "done" };
  }
}
