// An adapter for one model API. Each is a file of its own and pure, from text and data to text and data.
import type { Json, JsonObject } from "../../core/schema/json.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { ModelAnswer, ModelCall, SoundCall } from "./model-call.ts";

export const apiDialectNames = ["openai", "openai-responses", "anthropic", "gemini", "ollama", "mistral"] as const;
export type ApiDialectName = (typeof apiDialectNames)[number];
/** The sources of a reply: a model API, or a model that writes calls in its text. */
export const dialectNames = [...apiDialectNames, "text"] as const;
export type DialectName = (typeof dialectNames)[number];

export interface ApiDialect {
  readonly name: ApiDialectName;
  /** The limit of one request, if the API has one. */
  readonly toolsMax?: number;
  /** Returns the `tools` of a request. */
  declarations(tools: readonly Tool[]): Json;
  /** Returns declarations that the API enforces. Absent: it has no such mode. */
  strictDeclarations?(tools: readonly Tool[]): StrictDeclarations;
  /** Returns whether a body, a message, an array of calls or the events of a stream look like those of this API. */
  recognises(reply: ReplyJson): boolean;
  /** Returns undefined if the reply has no place for calls, so it is something else. */
  calls(reply: ReplyJson): ReplyCalls | undefined;
  /** Returns the message of the assistant with these calls, for a conversation. */
  callMessage(calls: readonly SoundCall[]): JsonObject;
  /** Returns the results for the conversation: an array of messages or items in the order of the calls. */
  results(answers: readonly ModelAnswer[]): readonly JsonObject[];
}

type StrictDeclarations =
  | { readonly declarations: Json }
  /** Each names the tool and the place. */
  | { readonly problems: readonly string[] };

/** `problem` says that it is not clear which calls are meant. */
export type ReplyCalls = { readonly calls: readonly ModelCall[] } | { readonly problem: string };

/** A reply that is JSON: one value, or the events of a stream in order. */
export interface ReplyJson {
  readonly values: readonly Json[];
  readonly isStream: boolean;
  /** Returns a fault within an object or array whose structure is clear: a repeated key, NaN. */
  faultIn(part: Json | undefined): string | undefined;
  /** Returns a fault outside of these parts, which makes the whole reply uncertain. */
  strayFault(parts: readonly Json[]): string | undefined;
}

/** Returns an own property, never an inherited one, because the data is not trusted. */
export function field(value: Json | undefined, key: string): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)
    ? (value as JsonObject)[key]
    : undefined;
}

export function textField(value: Json | undefined, key: string): string | undefined {
  const found = field(value, key);
  return typeof found === "string" ? found : undefined;
}

export function items(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
