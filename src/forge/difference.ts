// Where two JSON values differ, as a person or a model reads it.
import { isJsonObject, type Json } from "../schema/json.ts";

const SHOWN_MAX = 5;
const VALUE_CHARACTERS_MAX = 200;

/** Returns `` `result.sum`: expected 5, got 6 `` for each place, the first ones; none if the values are equal. */
export function differences(expected: Json, actual: Json | undefined): readonly string[] {
  const found: string[] = [];
  add(expected, actual, { path: "result", found });
  return found.length <= SHOWN_MAX
    ? found
    : [...found.slice(0, SHOWN_MAX), `and ${found.length - SHOWN_MAX} more differences`];
}

interface Place {
  readonly path: string;
  readonly found: string[];
}

function add(expected: Json, actual: Json | undefined, { path, found }: Place): void {
  if (actual === undefined) found.push(`\`${path}\`: expected ${shown(expected)}, and it is missing`);
  else if (isList(expected) && isList(actual)) {
    for (const [index, value] of expected.entries()) add(value, actual[index], { path: `${path}[${index}]`, found });
    for (let index = expected.length; index < actual.length; index++)
      found.push(`\`${path}[${index}]\`: not expected, got ${shown(actual[index] ?? null)}`);
  } else if (isJsonObject(expected) && isJsonObject(actual)) {
    for (const [key, value] of Object.entries(expected))
      add(value, Object.hasOwn(actual, key) ? actual[key] : undefined, { path: `${path}.${key}`, found });
    for (const [key, value] of Object.entries(actual))
      if (!Object.hasOwn(expected, key)) found.push(`\`${path}.${key}\`: not expected, got ${shown(value)}`);
  } else if (expected !== actual) found.push(`\`${path}\`: expected ${shown(expected)}, got ${shown(actual)}`);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length <= VALUE_CHARACTERS_MAX ? text : `${text.slice(0, VALUE_CHARACTERS_MAX).toWellFormed()}…`;
}
