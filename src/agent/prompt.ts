// A conversation as the messages of the SDK.
import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { isJsonObject, type Json } from "../schema/json.ts";
import type { CallPart, Entry, ReplyEntry, ResultEntry } from "./entry.ts";

/** `model`: who gets it. What another model thought, and its signatures, are of no use to this one. */
export function promptOf(entries: readonly Entry[], system: string, model: string): LanguageModelV4Prompt {
  const messages: LanguageModelV4Message[] = [{ role: "system", content: system }];
  for (const entry of entries) {
    const last = messages.at(-1);
    switch (entry.kind) {
      case "begin":
      case "end":
        break;
      case "user":
        messages.push({ role: "user", content: [{ type: "text", text: entry.text }] });
        break;
      case "reply": {
        const message = assistantMessage(entry, entry.model === model);
        // APIs refuse a message with nothing in it.
        if (message.content.length > 0) messages.push(message);
        break;
      }
      case "result":
        if (last?.role === "tool") last.content.push(resultPart(entry));
        else messages.push({ role: "tool", content: [resultPart(entry)] });
    }
  }
  return messages;
}

type AssistantMessage = Extract<LanguageModelV4Message, { readonly role: "assistant" }>;

function assistantMessage(reply: ReplyEntry, isOwn: boolean): AssistantMessage {
  const content = reply.parts.flatMap((part): AssistantMessage["content"] => {
    const options = isOwn && part.metadata ? { providerOptions: part.metadata as Exclude<AssistantMessage["providerOptions"], undefined> } : {};
    switch (part.type) {
      case "text":
        return part.text === "" ? [] : [{ type: "text", text: part.text, ...options }];
      case "reasoning":
        return isOwn ? [{ type: "reasoning", text: part.text, ...options }] : [];
      case "call":
        return [{ type: "tool-call", toolCallId: part.id, toolName: part.name, input: inputOf(part), ...options }];
    }
  });
  return { role: "assistant", content };
}

/** APIs take objects alone. */
function inputOf({ arguments: text }: CallPart): Json {
  const json = parsedArguments(text);
  return isJsonObject(json) ? json : { malformed: text };
}

/** Undefined: no JSON. A model that means no arguments may write nothing. */
export function parsedArguments(text: string): Json | undefined {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function resultPart({ id, name, text, isFailed }: ResultEntry): Extract<LanguageModelV4Message, { readonly role: "tool" }>["content"][number] {
  return { type: "tool-result", toolCallId: id, toolName: name, output: { type: isFailed ? "error-text" : "text", value: text } };
}
