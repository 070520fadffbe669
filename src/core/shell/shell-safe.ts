// Values that are harmless in most programs, because their pattern allows only letters, digits and `_ . -`.
import type { ParameterSchema } from "../schema/parameter.ts";

/** Characters beyond these that are data in some places: between the slashes of sed, in a string, in a word of a shell. */
export type AlsoPlain = "" | " " | "/:@" | " /:@";

/** Matches patterns that allow only letters, digits, `_ . -` and these. They match whole values, with `^` and `$` or not. */
function plainPattern(also: AlsoPlain): RegExp {
  return new RegExp(
    String.raw`^\^?(?:\\[wd]|\\[.${also}-]|[A-Za-z0-9_${also}]|\[(?:a-z|A-Z|0-9|\\[wd.${also}-]|[A-Za-z0-9_.${also}](?!-[^\]])|-(?=\]))+\]|\(\?:|[()|+*?]|\{\d+(?:,\d*)?\})+\$?$`,
  );
}

const DIGITS = /^\^?(?:\\d|\[0-9\]|\d|\(\?:|[()|+*?]|\{\d+(?:,\d*)?\})+\$?$/;

/** Whether the pattern allows only digits, so that the value is a number wherever it stands. */
export function holdsDigits(schema: ParameterSchema): boolean {
  return schema.type === "string" && schema.pattern !== undefined && DIGITS.test(schema.pattern.source);
}

/** Whether a part of such a value may begin with `-`; without a pattern, any part may. */
export function mayHoldDash(schema: ParameterSchema): boolean {
  switch (schema.type) {
    case "integer":
    case "number":
    case "boolean":
      return false;
    case "string":
      return (
        schema.choices === undefined && !(isShellSafe(schema, " /:@") && !/\\-|-\]/.test(schema.pattern?.source ?? ""))
      );
    case "array":
      return mayHoldDash(schema.items);
    case "object":
      return true;
  }
}

const PLAIN_CHOICE = /^[\w@%+=:,./-]+$/;

/** Whether a shell may split such a value or expand it to file names, if there are no quotes. */
export function mayBecomeWords(schema: ParameterSchema): boolean {
  switch (schema.type) {
    case "integer":
    case "number":
    case "boolean":
      return false;
    case "string":
      return schema.choices ? !schema.choices.every((choice) => PLAIN_CHOICE.test(choice)) : !isShellSafe(schema);
    case "array":
      return mayBecomeWords(schema.items);
    case "object":
      return true;
  }
}

/**
 * Whether the value is shell-safe. Its effect still depends on the program: it is harmless between the slashes of
 * `s/…/…/`, and not after them.
 */
export function isShellSafe(schema: ParameterSchema | undefined, also: AlsoPlain = ""): boolean {
  if (schema?.type === "array") return isShellSafe(schema.items, also);
  return (
    schema?.type === "string" &&
    schema.pattern !== undefined &&
    !schema.pattern.flags.includes("i") &&
    plainPattern(also).test(schema.pattern.source)
  );
}
