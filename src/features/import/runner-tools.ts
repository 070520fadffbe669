// Tools of just, make and task. One that becomes a script takes values as data. One that is called by its runner takes
// only characters that no shell, make or task reads, because the runner puts the values into the text of a shell.
import type { Parameter, ParameterSchema, Pattern } from "../../core/schema/parameter.ts";
import type { ImportedTool, Part } from "./imported-tool.ts";

/** The characters that no shell reads in an argument, as of `just`, and in a variable, as of `make`. */
const plain = { argument: "\\w.,:@%+=\\/", variable: "A-Za-z0-9_." } as const;

type PlainPlace = keyof typeof plain;

function plainNote(place: PlainPlace): string {
  const signs = place === "argument" ? "_ . , : @ % + = / -" : "_ . -";
  return `values may only have letters, digits and \`${signs}\`, because the program lets a shell read them`;
}

/** A default of the source stays even if it has other characters: it is the author's. Words that may be options stay so. */
export function plainWords(parameter: Parameter, place: PlainPlace): Parameter {
  const { default: _given, ...others } = parameter;
  const first = parameter.flags ? `${plain[place]}-` : plain[place];
  const pattern: Pattern = { source: `[${first}][${plain[place]}-]*`, flags: "" };
  const isFine =
    parameter.default === undefined ||
    [parameter.default]
      .flat()
      .every((text) => typeof text === "string" && new RegExp(`^(?:${pattern.source})$`).test(text));
  return {
    ...others,
    ...(isFine && parameter.default !== undefined ? { default: parameter.default } : {}),
    schema: limited(parameter.schema, pattern),
  };
}

/** Only texts that match, also in a list. */
export function limited(schema: ParameterSchema, pattern: Pattern): ParameterSchema {
  if (schema.type === "array") return { ...schema, items: limited(schema.items, pattern) };
  return schema.type === "string" ? { ...schema, pattern } : schema;
}

/** `NAME=value` as one word of the runner, which nothing is if there is no value: the runner has its own default. */
export function asAssignment(parameter: Parameter): Parameter {
  const { default: _own, environment: _variable, flags: _words, schema, ...about } = plainWords(parameter, "variable");
  // Of several assignments, only the last one would count.
  return { ...about, schema: schema.type === "array" ? schema.items : schema, flag: `${parameter.name}={value}` };
}

/** Returns what differs in a script from what the runner does. */
export function scriptNotes(runner: string, parts: readonly Part[]): readonly string[] {
  return parts.some((part) => typeof part !== "string")
    ? [`a value is data here, whatever characters it has; ${runner} would let the shell split and expand it`]
    : [];
}

interface RunnerCall extends Pick<ImportedTool, "parameters" | "shellText"> {
  /** What the runner calls its tools: "recipe". */
  readonly noun: string;
  readonly words: readonly Part[];
  readonly place: PlainPlace;
}

export function runnerCall(
  runner: string,
  { noun, words, parameters, place, shellText = "" }: RunnerCall,
): Pick<ImportedTool, "parameters" | "runs" | "shellText" | "requires" | "notes"> {
  return {
    parameters,
    runs: { kind: "command", words: [runner, ...words] },
    shellText,
    requires: [runner],
    notes: [
      `called by \`${runner}\`, because the ${noun} uses more than a script can`,
      ...(parameters.length === 0 ? [] : [plainNote(place)]),
    ],
  };
}

export function valuesOf(parameters: readonly Parameter[]): readonly Part[] {
  return parameters.map(({ name }) => ({ parameter: name }));
}
