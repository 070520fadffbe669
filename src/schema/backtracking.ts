// How long a text may be before a pattern could take very long to find that it does not match.
import type { Parameter, ParameterSchema, Pattern } from "./parameter.ts";

/** Two repetitions can double the work with each character: 24 of them are done in a moment. */
const REPEATED_TWICE_CHARACTERS = 24;
/** One can square it. */
const REPEATED_ONCE_CHARACTERS = 4_096;

/** In characters of all arguments together; Infinity where no pattern repeats anything. */
export function safeTextLength(parameters: readonly Parameter[]): number {
  return Math.min(Infinity, ...parameters.map((parameter) => safeLengthOf(parameter.schema)));
}

function safeLengthOf(schema: ParameterSchema): number {
  switch (schema.type) {
    case "string":
      return Math.min(safeLengthFor(schema.pattern), safeLengthFor(schema.reject));
    case "integer":
    case "number":
    case "boolean":
      return Infinity;
    case "array":
      return safeLengthOf(schema.items);
    case "object":
      return safeTextLength(schema.properties);
  }
}

/** In characters of one text. */
export function safeLengthFor(pattern: Pattern | undefined): number {
  const repetitions = pattern?.source.match(/(?<![\\(])[*+?]|\{\d+(,\d*)?\}/g)?.length ?? 0;
  if (repetitions === 0) return Infinity;
  return repetitions === 1 ? REPEATED_ONCE_CHARACTERS : REPEATED_TWICE_CHARACTERS;
}
