// The description of a tool for a model.
import { typeText } from "../schema/describe.ts";
import { argumentsSchema } from "../schema/json-schema.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Returns, ToolDefinition } from "../tool/definition.ts";
import { forModels } from "../text/hidden-characters.ts";
import type { Tool } from "../tool/tool.ts";

/** Returns the schema of the arguments with examples, for APIs that have no other place for them. */
export function schemaWithExamples({ definition, parameters }: Tool): JsonObject {
  const { examples, schemaOmits } = definition;
  return { ...argumentsSchema(parameters, schemaOmits), ...(examples.length > 0 ? { examples } : {}) };
}

export function modelDescription(definition: ToolDefinition): string {
  const { description, title, returns, deprecated } = definition;
  return forModels(
    [
      description === "" ? title : description,
      // Only some APIs accept a schema of the result, and MCP only one of an object.
      ...(returns ? [`Returns ${returnsText(returns)}`] : []),
      ...(deprecated === undefined ? [] : [`Deprecated: ${deprecated}`]),
    ].join("\n\n"),
  );
}

/** Returns text such as `array<string>: the names`. */
export function returnsText({ schema, description }: Returns): string {
  return description === "" ? typeText(schema) : `${typeText(schema)}: ${description}`;
}
