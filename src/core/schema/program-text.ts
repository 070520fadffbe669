// `{code}`: a value that is, on purpose, a program for the place where it stands, such as SQL or a command for `ssh`.
import { isJsonObject, type Json } from "./json.ts";
import type { Parameter, ParameterSchema } from "./parameter.ts";

/** Whether the whole value is program text: `{code}` and `{array<code>}`. */
export function isCode(schema: ParameterSchema | undefined): boolean {
  return schema?.type === "array" ? isCode(schema.items) : schema?.type === "string" && schema.format === "code";
}

/** Whether any part of the value is program text. */
export function holdsCode(schema: ParameterSchema): boolean {
  if (schema.type === "array") return holdsCode(schema.items);
  return schema.type === "object" ? schema.properties.some((one) => holdsCode(one.schema)) : isCode(schema);
}

/** The names of the parameters that hold program text, in their order. */
export function codeParameters(parameters: readonly Parameter[]): readonly string[] {
  return parameters.filter(({ schema }) => holdsCode(schema)).map(({ name }) => name);
}

/** The program texts in a value; the words of a command are one text. */
export function programTexts(value: Json | undefined, schema: ParameterSchema): readonly Json[] {
  if (value === undefined) return [];
  if (isCode(schema)) return [value];
  if (schema.type === "array" && Array.isArray(value)) return value.flatMap((item) => programTexts(item, schema.items));
  if (schema.type !== "object" || !isJsonObject(value)) return [];
  return schema.properties.flatMap((one) => programTexts(value[one.name], one.schema));
}
