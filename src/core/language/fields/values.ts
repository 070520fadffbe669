// Values in definitions, read by the declared type without guessing.
import { convertText } from "../../schema/convert-text.ts";
import type { Json } from "../../schema/json.ts";
import { isAny, type ParameterSchema } from "../../schema/parameter.ts";
import { validateValue } from "../../schema/validate.ts";
import type { Part } from "../syntax/grammar.ts";

type TypedValue =
  | { readonly value: Json; readonly message?: undefined }
  | { readonly value?: undefined; readonly message: string };

/** Returns the value of an option. `message` says what was expected. */
export function typedValue(schema: ParameterSchema, value: Part, name: string): TypedValue {
  // In quotes it is a text, whatever is in it.
  const converted =
    isAny(schema) && value.rule === "jsonValue"
      ? { value: JSON.parse(value.text.text) as Json }
      : convertText(schema, textOfValue(value));
  if (converted.value === undefined) return { message: converted.message };
  const checked = validateValue(schema, converted.value, name);
  const [issue] = checked.issues;
  if (checked.value !== undefined) return { value: checked.value };
  return { message: issue?.message ?? "" };
}

/** Returns a quoted value without its quotes, and any other as written. */
export function textOfValue(value: Part): string {
  const text = value.text.text;
  return value.rule === "jsonValue" && text.startsWith('"') ? String(JSON.parse(text)) : text;
}

/** Removes double quotes, in which a text can have spaces at its ends and `\n`. */
export function withoutQuotes(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : text;
  } catch {
    return text;
  }
}

/** Returns a text as an argument of another tool: in quotes if it would be read as something else. */
export function presetText(text: string): string {
  return text === "" || text !== text.trim() || text.startsWith('"') ? JSON.stringify(text) : text;
}
