// Checked arguments as text: the values of placeholders.
import type { Json, JsonObject } from "../schema/json.ts";
import type { Parameter, ParameterSchema } from "../schema/parameter.ts";
import { fillTemplate } from "../tool/tool.ts";
import type { Template } from "../tool/template.ts";

/** One argument as words. `path` names it in messages: `files[2]`. */
export interface ValueWord {
  readonly text: string;
  readonly path: string;
  /** Whether it may start with `-`: a number, a choice of the author's, or allowed by `flags`. */
  readonly mayStartWithDash: boolean;
}

/** Returns a word for each item of an array, one word for any other value, and none for an absent one. */
export function valueWords(parameter: Parameter, args: JsonObject): readonly ValueWord[] {
  const value = Object.hasOwn(args, parameter.name) ? args[parameter.name] : undefined;
  if (value === undefined) return [];
  const { schema, name } = parameter;
  if (schema.type !== "array" || !Array.isArray(value)) return [valueWord(schema, value, { parameter, path: name })];
  return value.map((item: Json, index) => valueWord(schema.items, item, { parameter, path: `${name}[${index}]` }));
}

function valueWord(
  schema: ParameterSchema,
  value: Json,
  spot: { readonly parameter: Parameter; readonly path: string },
): ValueWord {
  const text = wordOfValue(value);
  const isPath = schema.type === "string" && schema.format === "path";
  const isAuthors = (schema.type === "string" && schema.choices !== undefined) || spot.parameter.default === value;
  return {
    text: isPath && text.startsWith("-") ? `./${text}` : text,
    path: spot.path,
    mayStartWithDash:
      schema.type === "number" || schema.type === "integer" || isAuthors || spot.parameter.flags === true,
  };
}

/** Returns a value as text. Objects and arrays are JSON. */
export function wordOfValue(value: Json): string {
  if (typeof value === "string") return value;
  return typeof value === "number" ? plainNumber(value) : JSON.stringify(value);
}

/** Writes a number without an exponent, which few programs read: 1e21 is 1000000000000000000000. */
function plainNumber(value: number): string {
  const shortest = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(shortest);
  if (!match) return shortest;
  const [, sign = "", whole = "", fraction = "", exponentText = "0"] = match;
  const exponent = Number(exponentText);
  const digits = whole + fraction;
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  return `${sign}${digits.padEnd(exponent + 1, "0")}`;
}

/** Returns undefined if the template is a single placeholder without a value. */
export function filledTemplate(template: Template | undefined, args: JsonObject): string | undefined {
  if (template === undefined) return undefined;
  const textOf = (name: string): string | undefined => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    return value === undefined ? undefined : wordOfValue(value);
  };
  const [only, ...others] = template.parts;
  if (only !== undefined && typeof only !== "string" && others.length === 0) return textOf(only.placeholder);
  return fillTemplate(template, textOf);
}
