// Finds the parameter of a tool that a word of the command line is for.
import { convertText } from "../schema/convert-text.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Parameter, ParameterSchema } from "../schema/parameter.ts";
import { validateValue } from "../schema/validate.ts";
import { nearestNames } from "../text/suggest.ts";

/** Finds a parameter by its name; `--file-path` is `file_path` too. */
export function findParameter(name: string, parameters: readonly Parameter[]): Parameter | undefined {
  return (
    parameters.find((parameter) => parameter.name === name) ??
    parameters.find(({ option }) => option !== undefined && option === name) ??
    parameters.find((parameter) => parameter.name.replaceAll("_", "-") === name)
  );
}

/**
 * Returns the parameter that takes every word unchanged in the short form: the only one, unless a word names it, or a
 * list of options, if nothing else is required and one of the words is an option of none of the parameters.
 */
export function rawParameter(parameters: readonly Parameter[], words: readonly string[] = []): Parameter | undefined {
  const offered = parameters.filter((parameter) => !parameter.hidden);
  const [only] = offered;
  const end = words.indexOf("--");
  const options = (end === -1 ? words : words.slice(0, end)).filter((word) => word.length > 1 && word.startsWith("-"));
  // An option of a list of options is one of the program's.
  if (only?.schema.type === "array" && offered.length === 1)
    return !only.flags && options.some((word) => namesParameter(word, offered)) ? undefined : only;
  const list = optionList(parameters);
  if (!list) return undefined;
  return options.length > 0 && !options.some((word) => isOwnOption(word, parameters)) ? list : undefined;
}

/** Returns the list that takes the options of a program, in a tool that requires nothing else. */
export function optionList(parameters: readonly Parameter[]): Parameter | undefined {
  const list = arrayParameter(parameters);
  return list?.flags && parameters.every(({ required, hidden }) => !required || hidden === true) ? list : undefined;
}

function isOwnOption(word: string, parameters: readonly Parameter[]): boolean {
  return /^--json(?:=|$)/.test(word) || namesParameter(word, parameters);
}

/** Whether the word is an option for a parameter. */
export function namesParameter(word: string, parameters: readonly Parameter[]): boolean {
  const name = word.startsWith("--") ? (word.slice(2).split("=", 1)[0] ?? "") : "";
  return name !== "" && findParameter(name, parameters) !== undefined;
}

/** Returns the parameter whose words these arguments are, if they can be written as words alone. */
export function rawParameterOf(parameters: readonly Parameter[], args: JsonObject = {}): Parameter | undefined {
  const list = optionList(parameters);
  const words = list && args[list.name];
  const isWords = Array.isArray(words) && words.every((word) => typeof word === "string");
  return rawParameter(parameters, isWords ? words : []);
}

/** Returns the one array parameter, which gets the words that name no parameter. */
export function arrayParameter(parameters: readonly Parameter[]): Parameter | undefined {
  const arrays = parameters.filter((parameter) => !parameter.hidden && parameter.schema.type === "array");
  return arrays.length === 1 ? arrays[0] : undefined;
}

/**
 * Returns the parameters that take words without a name: `before`, the required ones before the array parameter, if that
 * is required too, in the order of the definition, then `optional`, each of which takes a word that fits it; and `behind`
 * the array, which take the last words. Flags take no words, and JSON is not written as a word of its own.
 */
export function positionalParameters(parameters: readonly Parameter[]): {
  readonly before: readonly Parameter[];
  readonly optional: readonly Parameter[];
  readonly behind: readonly Parameter[];
} {
  const array = arrayParameter(parameters);
  const at = array?.required ? parameters.indexOf(array) : Number.POSITIVE_INFINITY;
  const places = parameters.filter(
    ({ hidden, schema: { type } }) => !hidden && type !== "array" && type !== "object" && type !== "boolean",
  );
  const required = places.filter((parameter) => parameter.required);
  const optional = array ? [] : places.filter((parameter) => !parameter.required);
  const isClear = optional.every(
    ({ secret, schema }, index) =>
      !secret && optional.slice(index + 1).every((other) => areApart(schema, other.schema)),
  );
  return {
    before: required.filter((parameter) => parameters.indexOf(parameter) < at),
    optional: isClear ? optional : [],
    behind: required.filter((parameter) => parameters.indexOf(parameter) > at),
  };
}

/** Returns whether no word fits both, so that the word alone says which of them it is for. */
function areApart(one: ParameterSchema, other: ParameterSchema): boolean {
  const choices = choicesOf(one) ?? choicesOf(other);
  const rest = choicesOf(one) ? other : one;
  return choices?.every((choice) => !fitsText(rest, choice)) === true;
}

function choicesOf(schema: ParameterSchema): readonly string[] | undefined {
  return "choices" in schema ? schema.choices?.map(String) : undefined;
}

export function fitsText(schema: ParameterSchema, text: string): boolean {
  const { value } = convertText(schema, text);
  return value !== undefined && validateValue(schema, value, "").issues.length === 0;
}

export function nearParameter(name: string, parameters: readonly Parameter[]): Parameter | undefined {
  const offered = parameters.filter((parameter) => !parameter.hidden);
  const [nearest] = nearestNames(
    name,
    offered.map((parameter) => parameter.name),
  );
  return offered.find((parameter) => parameter.name === nearest);
}

/** Finds the parameter for `-n 5`: the one with this flag, the only one with this first letter, or the only number. */
export function shortParameter(
  word: string,
  next: string | undefined,
  parameters: readonly Parameter[],
): Parameter | undefined {
  const offered = parameters.filter((parameter) => !parameter.hidden && parameter.schema.type !== "array");
  const flagged = offered.filter(({ flag }) => flag?.split(/[\s=]/, 1)[0] === word);
  const named = offered.filter((parameter) => word.length === 2 && parameter.name.startsWith(word.slice(1)));
  const numeric = offered.filter(
    ({ schema }) =>
      (schema.type === "integer" || schema.type === "number") &&
      next !== undefined &&
      convertText(schema, next).value !== undefined,
  );
  return [flagged, named, numeric].find((found) => found.length === 1)?.[0];
}
