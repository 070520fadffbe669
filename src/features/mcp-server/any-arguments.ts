// Arguments of a call that are not an object, such as JSON in a string. The SDK would refuse them and show the insides
// of its schema, while the gate says what the right call is. So they travel through the SDK to the gate inside an
// object.
import { isJsonObject, type JsonObject } from "../../core/schema/json.ts";

/** The property that holds them; no parameter has such a name. */
const KEY = "dottool/arguments";

/** Wraps arguments in any message that has some. `null` stands for no arguments, since many clients send it. */
export function wrapArguments(message: JsonObject): JsonObject {
  const { method, params } = message;
  if (method !== "tools/call" || !isJsonObject(params)) return message;
  const { arguments: sent, ...rest } = params;
  if (sent === undefined || isJsonObject(sent)) return message;
  return { ...message, params: sent === null ? rest : { ...rest, arguments: { [KEY]: sent } } };
}

export function sentArguments(args: JsonObject = {}): unknown {
  return Object.hasOwn(args, KEY) ? args[KEY] : args;
}
