// A definition with other names for the tools that it uses.
import type { Spanned } from "../text/source.ts";
import type { ToolDefinition } from "./definition.ts";
import type { Step, StepAction } from "./step.ts";

export function withToolNames(definition: ToolDefinition, nameOf: (name: string) => string): ToolDefinition {
  const depends = definition.depends.map((one) => ({ ...one, tool: nameOf(one.tool) }));
  return { ...withUsedNames(definition, nameOf), depends };
}

function withUsedNames(definition: ToolDefinition, nameOf: (name: string) => string): ToolDefinition {
  const renamed = (tool: Spanned<string>): Spanned<string> => ({ ...tool, value: nameOf(tool.value) });
  switch (definition.kind) {
    case "base":
    case "code":
      return definition;
    case "alias":
    case "wrapped":
      return { ...definition, base: renamed(definition.base) };
    case "steps": {
      const action = (one: StepAction): StepAction => (one.kind === "tool" ? { ...one, tool: renamed(one.tool) } : one);
      const step = (one: Step): Step => ({
        ...one,
        action: action(one.action),
        ...(one.fallback ? { fallback: action(one.fallback) } : {}),
      });
      return { ...definition, steps: definition.steps.map(step), cleanup: definition.cleanup.map(step) };
    }
  }
}
