// A tool over a tool of an MCP server whose parameters are not known yet: it is listed and shown, and a call says what
// to do first.
import type { AliasDefinition, WrappedDefinition } from "../tool/definition.ts";
import type { BaseTool, Tool } from "../tool/tool.ts";
import { effectsOver } from "./effects.ts";
import { inheritedNeeds } from "./inherited-needs.ts";

export function waitingTool(definition: AliasDefinition | WrappedDefinition, base: BaseTool): Tool {
  const { wrap: _wrap, ...below } = base;
  return Object.freeze<Tool>({
    ...below,
    definition: { ...definition, ...inheritedNeeds(definition, base.definition) },
    effects: effectsOver(base.effects, definition.declaredEffects),
    parameters: definition.parameters,
    safeTextLength: Infinity,
    underlying: [base],
  });
}
