// The effects of a tool that no person has trusted: what its author says of its programs does not count.
import type { Effect, ToolDefinition } from "../tool/definition.ts";
import type { Tool } from "../tool/tool.ts";
import { raisedEffects } from "./effects.ts";

/**
 * Whether it is certain that a tool only reads. For a third party's program it is a claim of its author that nothing
 * enforces. dottool's own tools enforce it by their checks, and so for those that use them.
 */
function isHeldToReading(tool: Tool): boolean {
  const { definition } = tool;
  const isOurs =
    definition.origin.kind === "base" || (definition.origin.kind === "file" && definition.origin.scope === "builtin");
  return (isOurs || !hasOwnProgram(definition)) && (tool.underlying ?? []).every(isHeldToReading);
}

/** Returns the effects of a tool that no person has trusted. */
export function effectsUntrusted(tool: Tool): readonly Effect[] {
  return tool.effects.length === 0 || isHeldToReading(tool) ? tool.effects : raisedEffects(tool.effects, ["run"]);
}

function hasOwnProgram(definition: ToolDefinition): boolean {
  switch (definition.kind) {
    case "base":
      return true;
    case "wrapped":
      return definition.commands.length > 0 || definition.fallback !== undefined;
    case "steps":
      return [...definition.steps, ...definition.cleanup].some(
        ({ action, fallback }) => action.kind === "command" || fallback?.kind === "command",
      );
    case "alias":
    case "code":
      return false;
  }
}
