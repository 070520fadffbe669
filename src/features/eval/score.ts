// How good an answer of a model is.
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../core/schema/json.ts";
import { validateArguments } from "../../core/schema/validate.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { ToolAsk } from "./project-asks.ts";
import type { EvalRecord } from "./records.ts";

export interface Try extends ToolAsk {
  readonly record: EvalRecord;
}

export interface Score {
  readonly isRight: boolean;
  /** Whether the first call is of the tool; for an ask that must not lead to it, whether no call is. */
  readonly isTool: boolean;
  /** `typed`: other values, which the tool accepts. Absent if no call is expected, or another tool was called. */
  readonly arguments?: "exact" | "typed" | "refused";
}

export function scoreOf({ name, tool, ask, record: { calls } }: Try): Score {
  if (ask.arguments === undefined) {
    const isTool = calls.every((call) => call.name !== name);
    return { isRight: isTool, isTool };
  }
  const [first] = calls;
  if (first?.name !== name) return { isRight: false, isTool: false };
  const given = first.arguments && accepted(tool, first.arguments);
  const isExact = given !== undefined && isDeepStrictEqual(plain(given), plain(accepted(tool, ask.arguments)));
  return { isRight: isExact, isTool: true, arguments: isExact ? "exact" : given ? "typed" : "refused" };
}

/** Returns the arguments with their defaults. */
function accepted({ definition, parameters }: Tool, args: JsonObject): JsonObject | undefined {
  const owner = definition.name.value;
  return validateArguments(parameters, args, {
    owner,
    environment: () => undefined,
    giver: "model",
    skipsSlowPatterns: true,
  }).arguments;
}

function plain(args: JsonObject | undefined): unknown {
  return args && JSON.parse(JSON.stringify(args));
}
