// What clients answer when they are asked, which is unchecked until it has passed here.
import { isJsonObject, type JsonObject } from "../../schema/json.ts";
import type { ClientRequest } from "../../tool/tool.ts";

/** Undefined: it is not an answer to this request, so it is asked again. */
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

/** What was filled in; undefined where the person declined. */
export function acceptedContent(answer: JsonObject): JsonObject | undefined {
  const { action, content } = answer;
  return action === "accept" ? (isJsonObject(content) ? content : {}) : undefined;
}
