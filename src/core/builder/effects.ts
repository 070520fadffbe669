// The effects of a tool: inferred from its parts; `@tags` can only raise them.
import type { Parameter } from "../schema/parameter.ts";
import { holdsCode, isCode } from "../schema/program-text.ts";
import type { CommandTemplate, PlatformCommand } from "../tool/command.ts";
import type { Effect, StepsDefinition, WrappedDefinition } from "../tool/definition.ts";
import { actionsOf, commandsOf } from "../tool/definition.ts";

const order: readonly Effect[] = ["read", "write", "run", "network"];

export function raisedEffects(inferred: readonly Effect[], declared: readonly Effect[]): readonly Effect[] {
  return order.filter((effect) => inferred.includes(effect) || declared.includes(effect));
}

/**
 * Returns the effects of a wrapped command. A word that may be any option, and a value that is not known to be data for
 * its program can do more than the author intended.
 */
export function commandEffects(definition: WrappedDefinition): readonly Effect[] {
  const { parameters, declaredEffects } = definition;
  const all = commandsOf(definition);
  const isTagged = declaredEffects.length > 0;
  const isOpen = parameters.some(mayRun) || all.some((command) => mayRunValues(command, isTagged));
  return effectsOver(raisedEffects(isOpen ? ["run"] : [], declaredEffects), doneBy(all));
}

/** Only tags say that a script does no more than its values allow. */
function mayRunValues(command: CommandTemplate, isTagged: boolean): boolean {
  return command.kind === "shell" ? !isTagged || command.does === undefined : command.mayRun !== undefined;
}

/** Returns the effects of programs, as their manuals document them. */
function doneBy(commands: readonly CommandTemplate[]): readonly Effect[] {
  return commands.flatMap((command) => command.does ?? []);
}

/** Returns the effects of a tool over others. Unknown effects stay unknown: its tags do not cover its dependencies. */
export function effectsOver(below: readonly Effect[], declared: readonly Effect[]): readonly Effect[] {
  return below.length === 0 ? [] : raisedEffects(below, declared);
}

interface Parts {
  /** The effects of its own commands, which its author's tags describe. */
  readonly own: readonly (readonly Effect[])[];
  /** The effects of the tools that it calls. */
  readonly below: readonly (readonly Effect[])[];
}

export function joinedEffects({ own, below }: Parts, definition: StepsDefinition): readonly Effect[] {
  const { declaredEffects: declared } = definition;
  const mustBeKnown = declared.length === 0 ? [...own, ...below] : below;
  const isUnknown = mustBeKnown.some((effects) => effects.length === 0);
  return isUnknown
    ? []
    : effectsOver(raisedEffects([...own, ...below].flat(), declared), doneBy(commandsOf(definition)));
}

interface OwnEffects {
  readonly effects: readonly Effect[];
  /** Whether the effects of some of its commands are unknown. */
  readonly isUnknown: boolean;
}

export function ownEffects(definition: StepsDefinition): OwnEffects {
  const { declaredEffects: declared } = definition;
  const own = ownStepEffects(definition);
  const effects = effectsOver(raisedEffects(own.flat(), declared), doneBy(commandsOf(definition)));
  return { effects, isUnknown: declared.length === 0 && own.some((one) => one.length === 0) };
}

/** Code in the sandbox can reach only its input. */
export const codeEffects: readonly Effect[] = ["read"];

/** Returns the effects of each step that calls no other tool. */
function ownStepEffects(definition: StepsDefinition): readonly (readonly Effect[])[] {
  const isOpen = definition.parameters.some(mayRun);
  // Tags do not count for a script in a step: what one step writes, another may run.
  const mayRunCommand = ({ command }: PlatformCommand): boolean => isOpen || mayRunValues(command, false);
  return actionsOf(definition).flatMap((action): readonly (readonly Effect[])[] => {
    if (action.kind === "command") return [action.commands.some(mayRunCommand) ? ["run"] : []];
    if (action.kind === "code") return [action.language === "python" ? ["run"] : codeEffects];
    return [];
  });
}

/**
 * The names of the lists that may hold options of the program: where the author does not promise that it does less than
 * run, a list is whatever words the program takes.
 */
export function optionLists({
  parameters,
  declaredEffects,
}: Pick<WrappedDefinition, "parameters" | "declaredEffects">): ReadonlySet<string> {
  const mayHoldAny = declaredEffects.length === 0 || declaredEffects.includes("run");
  const lists = parameters.filter(({ schema }) => schema.type === "array" && (mayHoldAny || isCode(schema)));
  return new Set(lists.map(({ name }) => name));
}

/** Returns whether a value may be a program, or an option that runs one. */
function mayRun(parameter: Parameter): boolean {
  return takesAnyOption(parameter) || holdsCode(parameter.schema);
}

/** Returns whether the parameter may be any option of the program, or nearly any. */
export function takesAnyOption(parameter: Parameter): boolean {
  if (!parameter.flags) return false;
  const { schema } = parameter;
  const words = schema.type === "array" ? schema.items : schema;
  return words.type === "string" && !words.reject && !words.pattern && !words.choices;
}
