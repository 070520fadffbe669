// The least and the most of a number, of the characters of a text, and of the items of a list.
import type { ParameterSchema } from "./parameter.ts";

const ofNumbers = ["minimum", "maximum"] as const;
const none: readonly [] = [];
const names = {
  integer: ofNumbers,
  number: ofNumbers,
  string: ["minimumLength", "maximumLength"],
  array: ["minimumItems", "maximumItems"],
  boolean: none,
  object: none,
} as const satisfies Readonly<Record<ParameterSchema["type"], readonly string[]>>;

export type Bounds = readonly [least?: number | undefined, most?: number | undefined];

export function withBounds<Schema extends ParameterSchema>(schema: Schema, bounds: Bounds): Schema {
  const given = names[schema.type].flatMap((name, index) =>
    bounds[index] === undefined ? [] : [[name, bounds[index]] as const],
  );
  return { ...schema, ...Object.fromEntries(given) };
}

export function boundsOf(schema: ParameterSchema): Bounds {
  const values: Readonly<Record<string, unknown>> = { ...schema };
  const [least, most] = names[schema.type].map((name) => values[name] as number | undefined);
  return [least, most];
}
