// What a model is told of a tool, beside its schema.
import { typeText } from "../schema/describe.ts";
import type { Returns, ToolDefinition } from "../tool/definition.ts";

export function modelDescription(definition: ToolDefinition): string {
  const { description, title, returns, deprecated } = definition;
  return [
    description === "" ? title : description,
    // Only some APIs take a schema of the result, and MCP only one of an object.
    ...(returns ? [`Returns ${returnsText(returns)}`] : []),
    ...(deprecated === undefined ? [] : [`Deprecated: ${deprecated}`]),
  ].join("\n\n");
}

/** `array<string>: the names`. */
export function returnsText({ schema, description }: Returns): string {
  return description === "" ? typeText(schema) : `${typeText(schema)}: ${description}`;
}
