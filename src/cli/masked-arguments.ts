// Arguments as they may be shown: secrets as dots.
import type { JsonObject } from "../schema/json.ts";
import type { Parameter } from "../schema/parameter.ts";

export const MASK = "•••";

export function maskedArguments(args: JsonObject, parameters: readonly Parameter[]): JsonObject {
  const secret = new Set(parameters.filter((parameter) => parameter.secret).map((parameter) => parameter.name));
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, secret.has(name) ? MASK : value]));
}
