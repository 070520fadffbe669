// Values that can hardly mean anything in a program, because their pattern lets only letters, digits and `_ . -` through.
import type { ParameterSchema } from "../schema/parameter.ts";

const TAME_ITEM = /^(?:\\[wd]|\\[.-]|[A-Za-z0-9_]|\[(?:a-z|A-Z|0-9|\\[wd.-]|[A-Za-z0-9_.](?!-[^\]])|-(?=\]))+\]|\(\?:|[()|+*?]|\{\d+(?:,\d*)?\})+$/;

/** What such a value can still do depends on the program: it is harmless between the slashes of `s/…/…/`, and not behind them. */
export function isTame(schema: ParameterSchema | undefined): boolean {
  if (schema?.type === "array") return isTame(schema.items);
  return schema?.type === "string" && schema.pattern !== undefined && !schema.pattern.flags.includes("i") && TAME_ITEM.test(schema.pattern.source);
}
