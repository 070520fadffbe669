// What OpenAI's Chat Completions, Mistral and compatible servers have in common: `choices`, a message with
// `tool_calls`, and a stream of deltas of both.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import { field, items, type ReplyCalls, type ReplyJson, textField } from "./dialect.ts";
import type { ModelCall, SoundCall } from "./model-call.ts";
import { CUT_OFF, readCall } from "./read-call.ts";

/** The reasons of OpenAI and Mistral for a message that is cut off. */
const CUT_REASONS: readonly (string | undefined)[] = ["length", "model_length", "content_filter", "error"];

/** A body, a message, an array of tool calls or one of them, or the events of a stream. */
export function chatMessage(reply: ReplyJson): ChatMessage | { readonly problem: string } | undefined {
  if (reply.isStream)
    return reply.values.some((value) => Array.isArray(field(value, "choices")))
      ? messageOfStream(reply.values)
      : undefined;
  const [value] = reply.values;
  if (value === undefined) return undefined;
  const choices = field(value, "choices");
  if (Array.isArray(choices)) {
    const [first, ...others] = choices as readonly Json[];
    if (isOldForm(field(first, "message"))) return OLD_FORM;
    if (others.some((choice) => items(field(field(choice, "message"), "tool_calls")).length > 0))
      return { problem: `there are ${choices.length} choices; send only the message to answer` };
    return {
      calls: items(field(field(first, "message"), "tool_calls")),
      isCut: CUT_REASONS.includes(textField(first, "finish_reason")),
    };
  }
  if (isOldForm(value)) return OLD_FORM;
  if (isCall(value)) return { calls: [value], isCut: false };
  if (Array.isArray(value)) return value.length > 0 && value.every(isCall) ? { calls: value, isCut: false } : undefined;
  const calls = items(field(value, "tool_calls"));
  const role = field(value, "role");
  const isMessage =
    role === "assistant"
      ? calls.length > 0 || Array.isArray(field(value, "tool_calls")) || typeof field(value, "content") === "string"
      : role === undefined && calls.length > 0 && calls.every(isCall);
  return isMessage ? { calls, isCut: false } : undefined;
}

/** OpenAI has replaced it in 2023. Some servers send it beside `tool_calls`. */
function isOldForm(message: Json | undefined): boolean {
  return isJsonObject(field(message, "function_call")) && items(field(message, "tool_calls")).length === 0;
}

const OLD_FORM = {
  problem: "`function_call` is an older form of calls; ask the model with `tools` in place of `functions`",
};

interface ChatMessage {
  readonly calls: readonly Json[];
  /** Whether the last call may be incomplete. */
  readonly isCut: boolean;
}

export function chatCalls(reply: ReplyJson): ReplyCalls | undefined {
  const message = chatMessage(reply);
  if (!message || "problem" in message) return message;
  return {
    calls: message.calls.map((call, index) =>
      chatCall(call, reply, message.isCut && (index === message.calls.length - 1 || !hasArguments(call))),
    ),
  };
}

/** Returns whether the arguments are complete: they end with a brace, and missing ones may still have been to come. */
function hasArguments(call: Json): boolean {
  const given = field(field(call, "function"), "arguments");
  return typeof given === "string" ? given.trim() !== "" : given !== undefined;
}

function chatCall(call: Json, reply: ReplyJson, isCut: boolean): ModelCall {
  const called = field(call, "function") ?? (isBareCall(call) ? call : undefined);
  const custom = field(call, "custom");
  return readCall(
    {
      id: field(call, "id"),
      name: field(called ?? custom, "name"),
      arguments: field(called, "arguments") ?? field(called, "parameters"),
      problem: isCut ? CUT_OFF : undefined,
      isCustom: isJsonObject(custom),
    },
    reply,
  );
}

/** Returns whether it is `{function: {name, arguments}}`; its other fields vary. */
export function isToolCall(value: Json): boolean {
  return (
    typeof field(field(value, "function"), "name") === "string" ||
    (field(value, "type") === "custom" && isJsonObject(field(value, "custom")))
  );
}

function isCall(value: Json): boolean {
  return isToolCall(value) || isBareCall(value);
}

/** Returns whether it is `{name, arguments}` or `{name, parameters}` and nothing else, as open models write a call. */
function isBareCall(value: Json): boolean {
  return (
    typeof field(value, "name") === "string" &&
    isJsonObject(field(value, "arguments") ?? field(value, "parameters")) &&
    Object.keys(value as JsonObject).length === 2
  );
}

interface PartialCall {
  id?: string;
  type?: string;
  name: string;
  arguments: string;
}

/**
 * Reads the first choice: pieces with the same `index` are one call; a piece without one continues the last, unless its
 * id is new.
 */
function messageOfStream(events: readonly Json[]): ChatMessage | { readonly problem: string } {
  const partial = new Map<number, PartialCall>();
  const ids = new Set<string>();
  const whole: JsonObject[] = [];
  let finish: string | undefined;
  let last = -1;
  for (const event of events) {
    const choices = items(field(event, "choices"));
    if (
      choices.some(
        (choice) =>
          (field(choice, "index") ?? 0) !== 0 && items(field(field(choice, "delta"), "tool_calls")).length > 0,
      )
    )
      return { problem: "the stream has several choices; send only the message to answer" };
    const choice = choices.find((one) => (field(one, "index") ?? 0) === 0);
    finish = textField(choice, "finish_reason") ?? finish;
    for (const piece of items(field(field(choice, "delta"), "tool_calls"))) {
      const called = field(piece, "function");
      const given = field(piece, "index");
      const id = textField(piece, "id");
      // Arguments as an object are complete.
      if (isJsonObject(field(called, "arguments"))) {
        whole.push(piece as JsonObject);
        continue;
      }
      const isNew = id !== undefined && id !== "" && !ids.has(id);
      last = typeof given === "number" ? given : isNew || last === -1 ? last + 1 : last;
      const call = partial.get(last) ?? { name: "", arguments: "" };
      if (id !== undefined && id !== "") ids.add((call.id = id));
      call.name += textField(called, "name") ?? "";
      call.arguments += textField(called, "arguments") ?? "";
      partial.set(last, call);
    }
  }
  const calls = [...partial]
    .sort(([a], [b]) => a - b)
    .map(
      ([, call]): JsonObject => ({
        ...(call.id === undefined ? {} : { id: call.id }),
        function: { name: call.name, arguments: call.arguments },
      }),
    );
  if (
    calls.length + whole.length === 0 &&
    events.some((event) => isOldForm(field(items(field(event, "choices"))[0], "delta")))
  )
    return OLD_FORM;
  return {
    calls: [...calls, ...whole],
    isCut: finish === undefined || CUT_REASONS.includes(finish),
  };
}

/** Returns an assistant's message with these calls; their arguments are JSON in a string. */
export function chatCallMessage(
  calls: readonly SoundCall[],
  idFor: (call: SoundCall, index: number) => string,
): JsonObject {
  return {
    role: "assistant",
    content: null,
    tool_calls: calls.map((call, index) => ({
      id: idFor(call, index),
      type: "function",
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    })),
  };
}
