// The parameters of a wrapped tool that may contain NUL, because their values become neither a word nor a variable.
import type { Parameter } from "../schema/parameter.ts";
import type { WrappedDefinition } from "../tool/definition.ts";
import type { BaseTool } from "../tool/tool.ts";

export function withNul(
  parameters: readonly Parameter[],
  definition: WrappedDefinition,
  base: BaseTool,
): readonly Parameter[] {
  const mayHoldNul = definition.commands.length > 0 ? inputOnly(definition) : passedOn(definition, base);
  return mayHoldNul
    ? parameters.map((parameter) =>
        parameter.schema.type === "string" && mayHoldNul(parameter.name)
          ? { ...parameter, schema: { ...parameter.schema, mayHoldNul: true } }
          : parameter,
      )
    : parameters;
}

type Fact = (name: string) => boolean;

function inputOnly({ commands, fallback, surroundings }: WrappedDefinition): Fact | undefined {
  const { stdin, cwd, environment } = surroundings;
  if (!stdin) return undefined;
  const elsewhere = JSON.stringify([commands, fallback, cwd, environment]);
  return (name) =>
    stdin.parts.some((part) => typeof part !== "string" && part.placeholder === name) &&
    !elsewhere.includes(`"placeholder":${JSON.stringify(name)}`);
}

/** Returns whether the value goes to a parameter of the base tool that may. */
function passedOn({ parameters, presets }: WrappedDefinition, base: BaseTool): Fact | undefined {
  if (parameters.length === 0) return undefined;
  const fixed = new Set(presets.map((preset) => preset.parameter.value));
  return (name) =>
    !fixed.has(name) &&
    base.parameters.some((known) => known.name === name && known.schema.type === "string" && known.schema.mayHoldNul);
}
