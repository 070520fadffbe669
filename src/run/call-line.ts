// A call as a person would type it.
import { quoteWord } from "../base/quote.ts";
import type { Json, JsonObject } from "../schema/json.ts";

/** `arrayParameter`: the only parameter of a tool that takes every word after its name as it is; a first `--help` alone must go another way. */
export function callLine(tool: string, args: JsonObject, arrayParameter: string | undefined): string {
  const options: string[] = [];
  const words: string[] = [];
  for (const [name, value] of Object.entries(args)) {
    if (name === arrayParameter && Array.isArray(value)) words.push(...value.map((item: Json) => quoteWord(textOfValue(item))));
    else options.push(...optionWords(name, value));
  }
  const start = words[0] === "--help" ? ["dottool", "call", tool, ...options, "--"] : ["dottool", tool, ...options];
  return [...start, ...words].join(" ");
}

function optionWords(name: string, value: Json): readonly string[] {
  if (value === true) return [`--${name}`];
  if (value === false) return [`--no-${name}`];
  if (Array.isArray(value)) return value.flatMap((item: Json) => [`--${name}`, quoteWord(textOfValue(item))]);
  const text = textOfValue(value);
  // A value that looks like an option must be tied to its name.
  return text.startsWith("-") ? [`--${name}=${quoteWord(text)}`] : [`--${name}`, quoteWord(text)];
}

function textOfValue(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
