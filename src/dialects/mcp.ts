// Tools as MCP lists them: the result of `tools/list`, protocol revision 2025-11-25.
import { argumentsSchema, valueSchema } from "../schema/json-schema.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Effect } from "../tool/definition.ts";
import { forModels } from "../text/hidden-characters.ts";
import type { Tool } from "../tool/tool.ts";
import { apiName } from "./api-name.ts";
import { modelDescription } from "./model-description.ts";

export function toMcpTools(tools: readonly Tool[]): JsonObject {
  return { tools: tools.map(toMcpTool) };
}

export function toMcpTool(tool: Tool): JsonObject {
  const { definition } = tool;
  const { examples, returns } = definition;
  const title = forModels(definition.title);
  return {
    name: apiName(definition.name.value),
    title,
    description: modelDescription(definition),
    inputSchema: {
      ...argumentsSchema(tool.parameters, definition.schemaOmits),
      ...(examples.length > 0 ? { examples } : {}),
    },
    // In MCP only objects are structured results; the description covers all others.
    ...(returns?.schema.type === "object" ? { outputSchema: valueSchema(returns.schema) } : {}),
    annotations: { title, ...hints(tool.effects) },
  };
}

/** Returns hints; none for unknown effects, because the protocol's defaults are the worst case. */
function hints(effects: readonly Effect[]): JsonObject {
  if (effects.length === 0) return {};
  const isReadOnly = effects.every((effect) => effect === "read" || effect === "network");
  return {
    readOnlyHint: isReadOnly,
    ...(isReadOnly ? {} : { destructiveHint: true }),
    openWorldHint: effects.includes("network") || effects.includes("run"),
  };
}
