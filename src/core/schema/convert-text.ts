// Text from a command line or the environment, converted by the declared type only: `00501` for a string stays `00501`.
import { typeText } from "./describe.ts";
import type { Json } from "./json.ts";
import { isAny, type ParameterSchema } from "./parameter.ts";

/** `message` says what was expected if the text does not convert. */
export type Converted =
  | { readonly value: Json; readonly message?: undefined }
  | { readonly value?: undefined; readonly message: string };

export function convertText(schema: ParameterSchema, text: string): Converted {
  switch (schema.type) {
    case "string":
      if (!isAny(schema)) return { value: text };
      return jsonOr(text);
    case "integer":
      return /^[+-]?\d+$/.test(text) && Number.isSafeInteger(Number(text))
        ? { value: Number(text) }
        : expected(schema, text);
    case "number":
      return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
        ? { value: Number(text) }
        : expected(schema, text);
    case "boolean":
      return text === "true" || text === "false" ? { value: text === "true" } : expected(schema, text);
    case "array":
      return convertArray(schema, text);
    case "object":
      return convertJson(schema, text);
  }
}

/** Returns the text itself if it does not convert. */
export function valueOfText(schema: ParameterSchema, text: string): Json {
  const { value } = convertText(schema, text);
  return value === undefined ? text : value;
}

/** Reads a JSON array, or takes the text as the only item. */
function convertArray(schema: ParameterSchema & { type: "array" }, text: string): Converted {
  if (text.trimStart().startsWith("[")) {
    const whole = convertJson(schema, text);
    if (whole.value !== undefined) return whole;
  }
  const item = convertText(schema.items, text);
  return item.value === undefined ? item : { value: [item.value] };
}

function jsonOr(text: string): Converted {
  const { value } = convertJson({ type: "string", format: "any" }, text);
  return { value: value === undefined ? text : value };
}

function convertJson(schema: ParameterSchema, text: string): Converted {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return expected(schema, text);
  }
}

function expected(schema: ParameterSchema, text: string): Converted {
  return {
    message: `expected ${schema.type === "object" ? "an object as JSON" : typeText(schema)}, got ${JSON.stringify(text)}`,
  };
}
