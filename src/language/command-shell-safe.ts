// Values that can hardly mean anything in a program, because their pattern lets only letters, digits and `_ . -`
// through.
import type { ParameterSchema } from "../schema/parameter.ts";

const SHELL_SAFE_ITEM =
  /^(?:\\[wd]|\\[.-]|[A-Za-z0-9_]|\[(?:a-z|A-Z|0-9|\\[wd.-]|[A-Za-z0-9_.](?!-[^\]])|-(?=\]))+\]|\(\?:|[()|+*?]|\{\d+(?:,\d*)?\})+$/;

/** Whether a part of such a value may begin with `-`; of values without a pattern any part may. */
export function mayHoldDash(schema: ParameterSchema): boolean {
  switch (schema.type) {
    case "integer":
    case "number":
    case "boolean":
      return false;
    case "string":
      return schema.choices === undefined && !(isShellSafe(schema) && !/\\-|-\]/.test(schema.pattern?.source ?? ""));
    case "array":
      return mayHoldDash(schema.items);
    case "object":
      return true;
  }
}

const PLAIN_CHOICE = /^[\w@%+=:,./-]+$/;

/** Whether a shell may make several words, or the names of files, of such a value where no quotes are. */
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
 * What such a value can still do depends on the program: it is harmless between the slashes of `s/…/…/`, and not behind
 * them.
 */
export function isShellSafe(schema: ParameterSchema | undefined): boolean {
  if (schema?.type === "array") return isShellSafe(schema.items);
  return (
    schema?.type === "string" &&
    schema.pattern !== undefined &&
    !schema.pattern.flags.includes("i") &&
    SHELL_SAFE_ITEM.test(schema.pattern.source)
  );
}
