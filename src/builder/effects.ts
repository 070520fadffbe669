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

/** Of a tool on top of others. What nobody knows stays so: the tags above say nothing of what is below. */
export function effectsOver(below: readonly Effect[], declared: readonly Effect[]): readonly Effect[] {
  return below.length === 0 ? [] : raisedEffects(below, declared);
}

/** `own`: of its own commands, of which its author's tags tell. `below`: of the tools that it calls. */
export function joinedEffects({ own, below }: { readonly own: readonly (readonly Effect[])[]; readonly below: readonly (readonly Effect[])[] }, declared: readonly Effect[]): readonly Effect[] {
  const isUnknown = below.some((effects) => effects.length === 0) || (own.some((effects) => effects.length === 0) && declared.length === 0);
  return isUnknown ? [] : raisedEffects([...own, ...below].flat(), declared);
}

/** Code in the sandbox reaches nothing but what it is given. */
export const codeEffects: readonly Effect[] = ["read"];

/** One for each step that calls no other tool. */
export function ownStepEffects(definition: StepsDefinition): readonly (readonly Effect[])[] {
  const isOpen = definition.parameters.some(takesAnyOption);
  const actions = [...definition.steps, ...definition.cleanup].flatMap(({ action, fallback }) => [action, ...(fallback ? [fallback] : [])]);
  return actions.flatMap((action): readonly (readonly Effect[])[] => {
    if (action.kind === "command") return [isOpen || action.commands.some(({ command }) => command.kind === "shell") ? ["run"] : []];
    if (action.kind === "code") return [action.language === "python" ? ["run"] : codeEffects];
    return [];
  });
}

function takesAnyOption(parameter: Parameter): boolean {
  if (!parameter.flags) return false;
  const { schema } = parameter;
  const words = schema.type === "array" ? schema.items : schema;
  return words.type === "string" && !words.reject && !words.pattern && !words.choices;
}
