// What the parameters of a definition may add to its commands besides data: options behind a flag, choices, and lists
// that take any option. A person who decides about all calls of a tool has to see the worst of them.
import { isCode } from "../schema/program-text.ts";
import type { Parameter } from "../schema/parameter.ts";
import type { ToolDefinition } from "./definition.ts";

/** Returns one line for each parameter that adds such words, without a full stop. */
export function addedWords(definition: ToolDefinition): readonly string[] {
  const { parameters, kind, declaredEffects } = definition;
  const takesOptions = kind !== "base" && (declaredEffects.length === 0 || declaredEffects.includes("run"));
  const data = namesBehindDashes(definition);
  return parameters.flatMap((parameter) => {
    const words = wordsOf(parameter, takesOptions && !data.has(parameter.name));
    return words === undefined ? [] : [`\`{${parameter.name}}\` ${words}`];
  });
}

/** `takesOptions` says whether a list may hold options of the program. */
function wordsOf({ flag, flags, schema }: Parameter, takesOptions: boolean): string | undefined {
  if (flag !== undefined) return `may add \`${flag}\``;
  const items = schema.type === "array" ? schema.items : schema;
  if (items.type !== "string" || isCode(schema)) return undefined;
  if (items.choices)
    return `is ${schema.type === "array" ? "any of" : "one of"} ${items.choices.map((one) => `\`${one}\``).join(", ")}`;
  const takesAny = flags === true || (schema.type === "array" && takesOptions);
  return takesAny && !items.pattern && !items.reject ? "may hold any option of the program" : undefined;
}

/** The names of the values that no program takes for options, because `--` stands before them. */
function namesBehindDashes(definition: ToolDefinition): ReadonlySet<string> {
  const commands = definition.kind === "wrapped" ? definition.commands.map(({ command }) => command) : [];
  return new Set(
    commands.flatMap((command) => {
      const words = command.kind === "direct" ? command.words.map(({ parts }) => parts) : [];
      const end = words.findIndex(([part]) => part === "--");
      const behind = end === -1 ? [] : words.slice(end).flat();
      return behind.flatMap((part) => (typeof part === "string" ? [] : [part.placeholder]));
    }),
  );
}
