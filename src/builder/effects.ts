// What a tool may do to the world: inferred from what it is made of; `@tags` can only raise it.
import type { Parameter } from "../schema/parameter.ts";
import type { Effect, StepsDefinition, WrappedDefinition } from "../tool/definition.ts";

const order: readonly Effect[] = ["read", "write", "run", "network"];

export function raisedEffects(inferred: readonly Effect[], declared: readonly Effect[]): readonly Effect[] {
  return order.filter((effect) => inferred.includes(effect) || declared.includes(effect));
}

/** A wrapped command: a shell, or words that may be any option, can do what the author did not foresee. */
export function commandEffects(definition: WrappedDefinition): readonly Effect[] {
  const runsShell = definition.commands.some((platform) => platform.command.kind === "shell") || definition.fallback?.kind === "shell";
  const isOpen = runsShell || definition.parameters.some(takesAnyOption);
  return raisedEffects(isOpen ? ["run"] : [], definition.declaredEffects);
}

/** Of its own commands; the tools that it calls have theirs. */
export function stepsEffects(definition: StepsDefinition): readonly Effect[] {
  const actions = [...definition.steps, ...definition.cleanup].flatMap(({ action, fallback }) => [action, ...(fallback ? [fallback] : [])]);
  const isOpen = actions.some((action) => (action.kind === "command" ? action.commands.some(({ command }) => command.kind === "shell") : action.kind === "code" && action.language === "python"));
  return raisedEffects(isOpen || definition.parameters.some(takesAnyOption) ? ["run"] : [], definition.declaredEffects);
}

function takesAnyOption(parameter: Parameter): boolean {
  if (!parameter.flags) return false;
  const { schema } = parameter;
  const words = schema.type === "array" ? schema.items : schema;
  return words.type === "string" && !words.reject && !words.pattern && !words.choices;
}
