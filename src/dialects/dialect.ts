// What an adapter for one model API does. Each is a file of its own, and pure: text and data in, data out.
import type { Json, JsonObject } from "../schema/json.ts";
import type { Tool } from "../tool/tool.ts";
import type { ModelAnswer, ModelCall, SoundCall } from "./model-call.ts";

export const apiDialectNames = ["openai", "openai-responses", "anthropic", "gemini", "ollama", "mistral"] as const;
export type ApiDialectName = (typeof apiDialectNames)[number];
/** Where a reply may come from: a model API, or a model that writes calls into its text. */
export const dialectNames = [...apiDialectNames, "text"] as const;
export type DialectName = (typeof dialectNames)[number];

export interface ApiDialect {
  readonly name: ApiDialectName;
  /** Of one request, where the API says so. */
  readonly toolsMax?: number;
  /** What stands in a request's `tools`. */
  declarations(tools: readonly Tool[]): Json;
  /** Declarations that the API itself holds the model to. Absent: it has no such mode. */
  strictDeclarations?(tools: readonly Tool[]): StrictDeclarations;
  /** Whether a body, a message, an array of calls or the events of a stream look like those of this API. */
  recognises(reply: ReplyJson): boolean;
  /** Undefined: it has no place for calls, so it is something else. */
  calls(reply: ReplyJson): ReplyCalls | undefined;
  /** The message of the assistant with these calls, for a conversation. */
  callMessage(calls: readonly SoundCall[]): JsonObject;
  /** What goes back into the conversation: an array of messages or items in the order of the calls. */
  results(answers: readonly ModelAnswer[]): readonly JsonObject[];
}

export type StrictDeclarations =
  | { readonly declarations: Json }
  /** Each names the tool and the place. */
  | { readonly problems: readonly string[] };

/** `problem`: nobody can tell which calls are meant. */
export type ReplyCalls = { readonly calls: readonly ModelCall[] } | { readonly problem: string };

/** A reply that is JSON: one value, or the events of a stream in order. */
export interface ReplyJson {
  readonly values: readonly Json[];
  readonly isStream: boolean;
  /** What is wrong within an object or array, though its structure is clear: a key that is there twice, NaN. */
  faultIn(part: Json | undefined): string | undefined;
  /** What is wrong outside of these parts, which makes the whole reply unsure. */
  strayFault(parts: readonly Json[]): string | undefined;
}

/** The own property: data of strangers is asked for nothing that it does not have itself. */
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
