// Whether a tool is made of steps, itself or as another name for one.
import type { ToolRegistry } from "./registry.ts";
import type { Tool } from "./tool.ts";

export function isMadeOfSteps({ definition }: Tool, registry: Pick<ToolRegistry, "find">): boolean {
  if (definition.kind === "steps") return true;
  if (definition.kind !== "alias" && definition.kind !== "wrapped") return false;
  const base = definition.base.value === definition.name.value ? undefined : registry.find(definition.base.value);
  return base !== undefined && isMadeOfSteps(base, registry);
}
