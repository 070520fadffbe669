// Checks the answers of clients to questions, which are untrusted until then.
import { isJsonObject, type JsonObject } from "../../schema/json.ts";
import type { ClientRequest } from "../../tool/tool.ts";

/** Reads an answer. Returns undefined if it does not answer this request, which is then made again. */
export function readAnswer(method: ClientRequest["method"], answer: unknown): JsonObject | undefined {
  if (!isJsonObject(answer)) return undefined;
  switch (method) {
    case "elicitation/create":
      return typeof answer["action"] === "string" && ["accept", "decline", "cancel"].includes(answer["action"])
        ? answer
        : undefined;
    case "sampling/createMessage":
      return typeof answer["role"] === "string" && answer["content"] !== undefined ? answer : undefined;
    case "roots/list":
      return Array.isArray(answer["roots"]) ? answer : undefined;
  }
}

/** Returns what was filled in, or undefined if the person declined. */
export function acceptedContent(answer: JsonObject): JsonObject | undefined {
  const { action, content } = answer;
  return action === "accept" ? (isJsonObject(content) ? content : {}) : undefined;
}
