// Completions for the words of a tool: its parameters as options, and their choices.
import type { Parameter, ParameterSchema } from "../../schema/parameter.ts";
import type { Tool } from "../../tool/tool.ts";
import { stepFlagCandidates } from "./step-flags.ts";
import { arrayParameter, findParameter, positionalParameters, rawParameter } from "./find-parameter.ts";
import type { CallForm } from "./tool-words.ts";

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

interface ToolPosition {
  readonly own: readonly string[];
  readonly current: string;
  readonly form: CallForm;
}

export function toolCandidates(tool: Tool, { own, current, form }: ToolPosition): readonly Candidate[] {
  const { parameters } = tool;
  const named = own.map((word) => nameIn(word, parameters));
  const places = positionalParameters(parameters).before.filter((parameter) => !named.includes(parameter));
  const bare = places[bareCount(own, parameters)] ?? arrayParameter(parameters);
  const raw = form === "short" ? rawParameter(parameters, own) : undefined;
  if (raw) return [...valuesOf(raw), ...(own.length === 0 && current.startsWith("-") ? [help] : [])];
  const array = arrayParameter(parameters);
  if (own.includes("--")) return array ? valuesOf(array) : [];
  const last = own.at(-1) ?? "";
  const open = last.startsWith("--") && !last.includes("=") ? findParameter(last.slice(2), parameters) : undefined;
  if (open && open.schema.type !== "boolean") return valuesOf(open);
  const tied = /^(--)?([A-Za-z_][\w-]*)=/.exec(current);
  const meant = tied?.[2] === undefined ? undefined : findParameter(tied[2], parameters);
  if (tied && meant) return valuesOf(meant).map((candidate) => ({ ...candidate, value: tied[0] + candidate.value }));
  if (!current.startsWith("-")) return bare ? valuesOf(bare) : [];
  const given = new Set(named.map((parameter) => parameter?.name));
  return [
    ...parameters
      .filter((parameter) => !parameter.hidden && (!given.has(parameter.name) || parameter.schema.type === "array"))
      .flatMap(optionsOf),
    ...(tool.definition.kind === "steps" ? stepFlagCandidates(tool).filter(({ value }) => !own.includes(value)) : []),
    help,
  ];
}

/** Returns the parameter that `--name`, `--name=value` or `name=value` sets. */
function nameIn(word: string, parameters: readonly Parameter[]): Parameter | undefined {
  if (!word.startsWith("--") && !word.includes("=")) return undefined;
  return findParameter(word.replace(/^--/, "").split("=", 1)[0] ?? "", parameters);
}

/** Counts the words that name no parameter and are not the value of an option. */
function bareCount(own: readonly string[], parameters: readonly Parameter[]): number {
  let count = 0;
  for (let index = 0; index < own.length; index++) {
    const word = own[index] ?? "";
    const parameter = nameIn(word, parameters);
    if (word.startsWith("--")) {
      if (!word.includes("=") && parameter && parameter.schema.type !== "boolean") index++;
    } else if (!parameter && !word.startsWith("-")) count++;
  }
  return count;
}

const help: Candidate = { value: "--help", description: "help on the tool" };

function optionsOf(parameter: Parameter): readonly Candidate[] {
  const { description, schema, option: name = parameter.name } = parameter;
  const option = { value: `--${name}`, description };
  return schema.type === "boolean" ? [option, { value: `--no-${name}`, description }] : [option];
}

function valuesOf({ schema, example, secret }: Parameter): readonly Candidate[] {
  const choices = choicesOf(schema);
  if (choices.length > 0) return choices.map((value) => ({ value, description: "" }));
  return typeof example === "string" && !secret && !(schema.type === "string" && schema.format === "path")
    ? [{ value: example, description: "an example" }]
    : [];
}

function choicesOf(schema: ParameterSchema): readonly string[] {
  switch (schema.type) {
    case "string":
    case "integer":
    case "number":
      return (schema.choices ?? []).map(String);
    case "boolean":
      return ["true", "false"];
    case "array":
      return choicesOf(schema.items);
    case "object":
      return [];
  }
}
