// Whether a tool is made of steps, itself or as another name for one, and whether a call of it can be resumed.
import type { ToolRegistry } from "./registry.ts";
import type { Tool } from "./tool.ts";

export function isMadeOfSteps({ definition }: Tool, registry: Pick<ToolRegistry, "find">): boolean {
  if (definition.kind === "steps") return true;
  if (definition.kind !== "alias" && definition.kind !== "wrapped") return false;
  const base = definition.base.value === definition.name.value ? undefined : registry.find(definition.base.value);
  return base !== undefined && isMadeOfSteps(base, registry);
}

/** Whether its finished steps are worth keeping. Those that only read can be done again. */
export function isResumable({ definition, effects }: Pick<Tool, "definition" | "effects">): boolean {
  if (definition.kind !== "steps") return false;
  const { steps } = definition;
  const onlyReads = effects.length > 0 && effects.every((effect) => effect === "read");
  return (
    !onlyReads && (steps.length > 1 || steps.some(({ isOnce, forEach }) => isOnce === true || forEach !== undefined))
  );
}
