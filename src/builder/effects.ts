// What a tool may do to the world: inferred from what it is made of; `@tags` can only raise it.
import type { Parameter } from "../schema/parameter.ts";
import type { CommandTemplate, PlatformCommand } from "../tool/command.ts";
import type { Effect, StepsDefinition, WrappedDefinition } from "../tool/definition.ts";
import { actionsOf, commandsOf } from "../tool/definition.ts";

const order: readonly Effect[] = ["read", "write", "run", "network"];

export function raisedEffects(inferred: readonly Effect[], declared: readonly Effect[]): readonly Effect[] {
  return order.filter((effect) => inferred.includes(effect) || declared.includes(effect));
}

/**
 * A wrapped command: a shell, words that may be any option, and a value that nobody knows to be data for its program
 * can do what the author did not foresee.
 */
export function commandEffects(definition: WrappedDefinition): readonly Effect[] {
  const { parameters, declaredEffects } = definition;
  const all = commandsOf(definition);
  const isOpen = parameters.some(takesAnyOption) || all.some(mayRunValues);
  return withDone(raisedEffects(isOpen ? ["run"] : [], declaredEffects), doneBy(all));
}

function mayRunValues(command: CommandTemplate): boolean {
  return command.kind === "shell" || command.mayRun !== undefined;
}

/** By programs whose manuals say so. */
function doneBy(commands: readonly CommandTemplate[]): readonly Effect[] {
  return commands.flatMap((command) => (command.kind === "direct" ? (command.does ?? []) : []));
}

/** Where all else is unknown, it stays so: a program that is known to write may do more. */
function withDone(effects: readonly Effect[], done: readonly Effect[]): readonly Effect[] {
  return effects.length === 0 ? [] : raisedEffects(effects, done);
}

/** Of a tool on top of others. What nobody knows stays so: the tags above say nothing of what is below. */
export function effectsOver(below: readonly Effect[], declared: readonly Effect[]): readonly Effect[] {
  return below.length === 0 ? [] : raisedEffects(below, declared);
}

interface Parts {
  /** Of its own commands, of which its author's tags tell. */
  readonly own: readonly (readonly Effect[])[];
  /** Of the tools that it calls. */
  readonly below: readonly (readonly Effect[])[];
}

export function joinedEffects({ own, below }: Parts, definition: StepsDefinition): readonly Effect[] {
  const { declaredEffects: declared } = definition;
  const mustBeKnown = declared.length === 0 ? [...own, ...below] : below;
  const isUnknown = mustBeKnown.some((effects) => effects.length === 0);
  return isUnknown ? [] : withDone(raisedEffects([...own, ...below].flat(), declared), doneBy(commandsOf(definition)));
}

interface OwnEffects {
  readonly effects: readonly Effect[];
  /** Nobody says what some of its commands do. */
  readonly isUnknown: boolean;
}

/** Of its own commands and its tags. */
export function ownEffects(definition: StepsDefinition): OwnEffects {
  const { declaredEffects: declared } = definition;
  const own = ownStepEffects(definition);
  const effects = withDone(raisedEffects(own.flat(), declared), doneBy(commandsOf(definition)));
  return { effects, isUnknown: declared.length === 0 && own.some((one) => one.length === 0) };
}

/** Code in the sandbox reaches nothing but what it is given. */
export const codeEffects: readonly Effect[] = ["read"];

/** One for each step that calls no other tool. */
function ownStepEffects(definition: StepsDefinition): readonly (readonly Effect[])[] {
  const isOpen = definition.parameters.some(takesAnyOption);
  const mayRun = ({ command }: PlatformCommand): boolean => isOpen || mayRunValues(command);
  return actionsOf(definition).flatMap((action): readonly (readonly Effect[])[] => {
    if (action.kind === "command") return [action.commands.some(mayRun) ? ["run"] : []];
    if (action.kind === "code") return [action.language === "python" ? ["run"] : codeEffects];
    return [];
  });
}

/** Of the program, or nearly any. */
export function takesAnyOption(parameter: Parameter): boolean {
  if (!parameter.flags) return false;
  const { schema } = parameter;
  const words = schema.type === "array" ? schema.items : schema;
  return words.type === "string" && !words.reject && !words.pattern && !words.choices;
}
