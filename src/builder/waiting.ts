// A tool over one of which nobody knows yet what it takes: it is there, is listed and shown, and a call says what to do
// first.
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
    standsOn: [base],
  });
}
