// Text from a command line or the environment, converted by the declared type only: `00501` for a string stays `00501`.
import { typeText } from "./describe.ts";
import type { Json } from "./json.ts";
import type { ParameterSchema } from "./parameter.ts";

/** `message` says what was expected if the text does not convert. */
export type Converted =
  | { readonly value: Json; readonly message?: undefined }
  | { readonly value?: undefined; readonly message: string };

export function convertText(schema: ParameterSchema, text: string): Converted {
  switch (schema.type) {
    case "string":
      return { value: text };
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

/** Reads a JSON array, or takes the text as the only item. */
function convertArray(schema: ParameterSchema & { type: "array" }, text: string): Converted {
  if (text.trimStart().startsWith("[")) {
    const whole = convertJson(schema, text);
    if (whole.value !== undefined) return whole;
  }
  const item = convertText(schema.items, text);
  return item.value === undefined ? item : { value: [item.value] };
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
