// Schemas and values in words, for messages: `array<string>` and `the string "*.ts"`.
import type { ParameterSchema } from "./parameter.ts";

/** Stands for a secret wherever one would be shown. */
export const MASK = "•••";

const SHOWN_CHARACTERS_MAX = 60;

/** The type as an author writes it between braces. */
export function typeText(schema: ParameterSchema): string {
  switch (schema.type) {
    case "string":
      if (schema.choices) return schema.choices.map((choice) => JSON.stringify(choice)).join("|");
      return schema.format ?? "string";
    case "integer":
    case "number":
      return schema.choices?.join("|") ?? schema.type;
    case "boolean":
      return schema.type;
    case "array":
      return `array<${typeText(schema.items)}>`;
    case "object":
      return schema.typeName ?? "object";
  }
}

export function valueText(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (typeof value === "string") return `the string ${shortened(JSON.stringify(value))}`;
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value === "boolean") return `${value}`;
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : `an array of ${value.length}`;
  if (typeof value === "object") return "an object";
  return `a ${typeof value}`;
}

/** `1 item`, `2 items`. */
export function countText(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

function shortened(text: string): string {
  return text.length <= SHOWN_CHARACTERS_MAX ? text : `${text.slice(0, SHOWN_CHARACTERS_MAX)}…"`;
}

/** Returns the only values that it takes, or that its items are, as text; none if there are others. */
export function choicesOf(schema: ParameterSchema): readonly string[] {
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
