// The length of a text up to which patterns of parameters take only a moment.
import type { Parameter, ParameterSchema, Pattern } from "./parameter.ts";
import { patternMatch, wholePattern } from "./pattern-match.ts";

/** Returns the limit in characters of all arguments together; Infinity if no pattern can be slow. */
export function safeTextLength(parameters: readonly Parameter[]): number {
  return Math.min(Infinity, ...parameters.map((parameter) => safeLengthOf(parameter.schema)));
}

function safeLengthOf(schema: ParameterSchema): number {
  switch (schema.type) {
    case "string":
      return Math.min(safeLength(schema.pattern && wholePattern(schema.pattern)), safeLength(schema.reject));
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

function safeLength(pattern: Pattern | undefined): number {
  return pattern ? patternMatch(pattern).safeLength : Infinity;
}
