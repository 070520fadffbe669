// What a model is told of a tool, beside its schema.
import type { ToolDefinition } from "../tool/definition.ts";

export function modelDescription(definition: ToolDefinition): string {
  const { description, title, deprecated } = definition;
  const text = description === "" ? title : description;
  return deprecated === undefined ? text : `${text}\n\nDeprecated: ${deprecated}`;
}
