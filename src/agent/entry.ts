// What a conversation is made of: the same data in memory, in its file and, translated, in what a model is sent.
import type { JsonObject } from "../schema/json.ts";

export type Entry = BeginEntry | UserEntry | ReplyEntry | ResultEntry | EndEntry;

export interface BeginEntry {
  readonly kind: "begin";
  /** Of this format. */
  readonly version: 1;
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  /** Absolute: where the calls run. */
  readonly cwd: string;
  /**
   * What it is gone on with where nobody names another: `PROVIDER/MODEL`, the tools that were named, and what the model
   * was told first.
   */
  readonly model: string;
  readonly only: readonly string[];
  readonly system: string;
}

/** What the person said, or what the loop has to say for itself. */
export interface UserEntry {
  readonly kind: "user";
  readonly text: string;
}

export interface ReplyEntry {
  readonly kind: "reply";
  /** `PROVIDER/MODEL`. */
  readonly model: string;
  readonly parts: readonly ReplyPart[];
  readonly stop: ReplyStop;
  /** Absent where the API does not count. */
  readonly tokens?: Tokens;
}

/** `metadata`: what the API wants back with the part, such as a signature; nobody else reads it. */
export type ReplyPart =
  | { readonly type: "text" | "reasoning"; readonly text: string; readonly metadata?: JsonObject }
  | CallPart;

export interface CallPart {
  readonly type: "call";
  readonly id: string;
  readonly name: string;
  /** JSON, if the model wrote it well. */
  readonly arguments: string;
  /** Stands in the text of the reply, and is answered in text. */
  readonly isText?: true;
  /** Why it cannot be read. */
  readonly problem?: string;
  readonly metadata?: JsonObject;
}

/** `cut`: at a limit of tokens, so that nothing in it may run. `full`: the context of the model is. */
export type ReplyStop = "done" | "cut" | "refused" | "full";

export interface Tokens {
  /** All of them. */
  readonly input: number;
  readonly output: number;
  /** Of the input: what the API had kept from the request before, and what it keeps for the next. */
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface ResultEntry {
  readonly kind: "result";
  /** Of the call that it answers. */
  readonly id: string;
  /** As the model wrote it. */
  readonly name: string;
  readonly text: string;
  /** Which the text names. */
  readonly images?: readonly ResultImage[];
  readonly isFailed?: true;
}

export interface ResultImage {
  readonly mediaType: string;
  readonly base64: string;
}

/**
 * The loop came to an end by itself. A conversation that was killed, or met a limit, has none behind its last entry.
 */
export interface EndEntry {
  readonly kind: "end";
  readonly how: "completed" | "message" | "question";
}

export function callsOf(reply: ReplyEntry): readonly CallPart[] {
  return reply.parts.filter((part) => part.type === "call");
}

export function textOfReply(reply: ReplyEntry): string {
  return reply.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}
