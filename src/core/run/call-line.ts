// A call as a person would type it. Pasted into a shell it is the same call, so text that a shell or a screen would
// change is written as JSON.
import { hasHidden, quoteWord, singleQuoted, visibleJson } from "../base/quote.ts";
import { valueOfText } from "../schema/convert-text.ts";
import type { Json, JsonObject } from "../schema/json.ts";
import { isAny, type Parameter } from "../schema/parameter.ts";
import { findParameter, fitsText, positionalParameters, rawParameterOf } from "./find-parameter.ts";

interface CallLineOptions {
  /** Those of the tool, if they are known. */
  readonly parameters?: readonly Parameter[];
  /** Whether the tool has the name of a command, so that it is called by `dottool call`. */
  readonly isCall?: boolean;
}

/**
 * Writes the call as usage does: what a word of its own can mean is one, the rest are options. A first `--help` alone
 * must be written differently.
 */
export function callLine(
  tool: string,
  args: JsonObject,
  { parameters = [], isCall = false }: CallLineOptions = {},
): string {
  const readsAgain = parameters.every(
    ({ name, schema }) => !isAny(schema.type === "array" ? schema.items : schema) || isPlainWord(args[name]),
  );
  const array = isCall ? undefined : rawParameterOf(parameters, args)?.name;
  const raw = array === undefined ? undefined : args[array];
  if (readsAgain && Array.isArray(raw) && raw.length > 0 && raw.every(isShort) && Object.keys(args).length === 1)
    return wordsLine(tool, raw.map(textOfValue));
  const entries = Object.entries(args);
  // A tool with a single array parameter takes options as words.
  const canBeOptions =
    readsAgain &&
    (array === undefined || entries.length === 0) &&
    entries.every(([name, value]) => isOption(name, value));
  if (!canBeOptions) return `dottool call ${tool} --json ${singleQuoted(visibleJson(args))}`;
  const words = bareWords(args, parameters);
  const options = entries.filter(([name]) => !words.has(name)).flatMap(([name, value]) => optionWords(name, value));
  return ["dottool", ...(isCall ? ["call"] : []), tool, ...words.values(), ...options].join(" ");
}

/** Returns the quoted words without names, in their order, by the parameters that take them. */
function bareWords(args: JsonObject, parameters: readonly Parameter[]): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  const { before, optional } = positionalParameters(parameters);
  for (const { name, schema, required } of [...before, ...optional]) {
    const value = args[name];
    // The next word would be taken for it.
    if (value === undefined && required) break;
    if (value === undefined) continue;
    const text = textOfValue(value);
    const isBare =
      text !== `<${name}>` &&
      /^(?![-{]).[^=]*$/su.test(text) &&
      !findParameter(text.split(":", 1)[0] ?? "", parameters) &&
      (required || fitsText(schema, text));
    if (isBare) words.set(name, quoteWord(text));
  }
  return words;
}

function wordsLine(tool: string, words: readonly string[]): string {
  const start = words[0] === "--help" ? ["dottool", "call", tool, "--"] : ["dottool", tool];
  return [...start, ...words.map(quoteWord)].join(" ");
}

function isOption(name: string, value: Json): boolean {
  if (!/^[A-Za-z_][\w-]*$/.test(name)) return false;
  return Array.isArray(value)
    ? value.length > 0 && value.every(isShort)
    : isShort(value) || (isObject(value) && !hasHidden(JSON.stringify(value)));
}

/** Whether it is left out, or a text that is not JSON, so that a parameter of any type takes it as this text. */
function isPlainWord(value: Json | undefined): boolean {
  return (
    value === undefined ||
    (typeof value === "string" && valueOfText({ type: "string", format: "any" }, value) === value)
  );
}

/** Whether the declared type reads the text back as the value. */
function isShort(value: Json): boolean {
  if (typeof value === "string") return !hasHidden(value);
  // `1e+21` is not an integer as text.
  return typeof value === "boolean" || (typeof value === "number" && !String(value).includes("e"));
}

function isObject(value: Json): boolean {
  return value !== null && typeof value === "object";
}

function optionWords(name: string, value: Json): readonly string[] {
  if (value === true && name !== "help") return [`--${name}`];
  if (Array.isArray(value)) return value.flatMap((item: Json) => valueWords(name, item));
  return valueWords(name, value);
}

/**
 * Returns the words of an argument. What looks like an option is joined to its name, also for a flag, as is a
 * placeholder, which may be that of a flag. `--help` alone would ask for help.
 */
function valueWords(name: string, value: Json): readonly string[] {
  const text = textOfValue(value);
  return text.startsWith("-") || typeof value === "boolean" || name === "help" || text === `<${name}>`
    ? [`--${name}=${quoteWord(text)}`]
    : [`--${name}`, quoteWord(text)];
}

function textOfValue(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
