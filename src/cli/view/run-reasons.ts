// Why a definition counts as running programs if its commands do not show it: the values that these may run.
import { takesAnyOption } from "../../core/builder/effects.ts";
import { codeParameters } from "../../core/schema/program-text.ts";
import { commandsOf, type ToolDefinition } from "../../core/tool/definition.ts";
import { openValuesOf, openValueTexts } from "../../core/tool/open-value.ts";

/** Returns each reason once. */
export function runReasons(definition: ToolDefinition): readonly string[] {
  const commands = commandsOf(definition);
  if (commands.length === 0) return [];
  const open = definition.parameters.filter(takesAnyOption);
  const options = open.map(({ name }) => `\`{${name}}\` may be any option of a program`);
  const programs = codeParameters(definition.parameters);
  const others = openValueTexts(commands.flatMap(openValuesOf).filter(({ value }) => !programs.includes(value)));
  return [
    ...new Set([...options, ...programs.map((name) => `\`{${name}}\` is a program that the caller writes`), ...others]),
  ];
}
