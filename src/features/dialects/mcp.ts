// Tools as MCP lists them: the result of `tools/list`, protocol revision 2025-11-25.
import { valueSchema } from "../../core/schema/json-schema.ts";
import { type JsonObject, mappedTexts } from "../../core/schema/json.ts";
import type { Effect } from "../../core/tool/definition.ts";
import { forModels } from "../../core/text/hidden-characters.ts";
import { estimateTokens } from "../../core/text/tokens.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { apiName } from "../../core/tool/api-name.ts";
import { modelDescription, schemaForModels } from "./model-description.ts";

export function toMcpTools(tools: readonly Tool[]): JsonObject {
  return { tools: tools.map(toMcpTool) };
}

export function toMcpTool(tool: Tool): JsonObject {
  const { definition } = tool;
  const { returns } = definition;
  return {
    name: apiName(definition.name.value),
    title: forModels(definition.title),
    description: modelDescription(definition),
    inputSchema: tool.inputSchema ? mappedTexts(tool.inputSchema, forModels) : schemaForModels(tool),
    // In MCP only objects are structured results; the description covers all others.
    ...(returns?.schema.type === "object" ? { outputSchema: valueSchema(returns.schema) } : {}),
    ...(tool.effects.length === 0 ? {} : { annotations: hints(tool.effects) }),
  };
}

/** Estimates the tokens of what a model gets of a tool: not its title and hints, which are for clients. */
export function declarationTokens(tool: Tool): number {
  const { name, description, inputSchema } = toMcpTool(tool);
  return estimateTokens(JSON.stringify({ name, description, inputSchema }));
}

/** Unknown effects have no hints, because the protocol's defaults are the worst case. */
function hints(effects: readonly Effect[]): JsonObject {
  const isReadOnly = effects.every((effect) => effect === "read" || effect === "network");
  return {
    readOnlyHint: isReadOnly,
    ...(isReadOnly ? {} : { destructiveHint: true }),
    openWorldHint: effects.includes("network") || effects.includes("run"),
  };
}
