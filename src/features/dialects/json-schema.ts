// Tools as plain JSON Schema, for editors, validators and model APIs that accept any schema.
import { argumentsSchema, JSON_SCHEMA_DIALECT } from "../../core/schema/json-schema.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { apiName } from "../../core/tool/api-name.ts";
import { examplesForModels, modelDescription } from "./model-description.ts";

/** Returns one document: for one tool, the schema of its arguments; for several, each under `$defs`. */
export function toJsonSchema(tools: readonly Tool[]): JsonObject {
  const [only] = tools;
  if (only && tools.length === 1) return { $schema: JSON_SCHEMA_DIALECT, ...toolSchema(only) };
  return {
    $schema: JSON_SCHEMA_DIALECT,
    $defs: Object.fromEntries(tools.map((tool) => [apiName(tool.definition.name.value), toolSchema(tool)])),
  };
}

function toolSchema(tool: Tool): JsonObject {
  const { definition } = tool;
  return {
    title: apiName(definition.name.value),
    description: modelDescription(definition),
    ...argumentsSchema(tool.parameters, definition.schemaOmits),
    ...(definition.examples.length > 0 ? { examples: examplesForModels(tool) } : {}),
    ...(definition.deprecated === undefined ? {} : { deprecated: true }),
  };
}
