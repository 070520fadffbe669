// A definition with other names for the tools that it uses.
import type { Spanned } from "../text/source.ts";
import type { ToolDefinition } from "./definition.ts";
import type { Step, StepAction } from "./step.ts";

export function withToolNames(definition: ToolDefinition, nameOf: (name: string) => string): ToolDefinition {
  const renamed = (tool: Spanned<string>): Spanned<string> => ({ ...tool, value: nameOf(tool.value) });
  const action = (one: StepAction): StepAction => (one.kind === "tool" ? { ...one, tool: renamed(one.tool) } : one);
  const step = (one: Step): Step => ({
    ...one,
    action: action(one.action),
    ...(one.fallback && { fallback: action(one.fallback) }),
  });
  const depends = definition.depends.map((one) => ({ ...one, tool: nameOf(one.tool) }));
  if (definition.kind === "alias" || definition.kind === "wrapped")
    return { ...definition, depends, base: renamed(definition.base) };
  return definition.kind === "steps"
    ? { ...definition, depends, steps: definition.steps.map(step), cleanup: definition.cleanup.map(step) }
    : { ...definition, depends };
}
