// Arguments of a call that are not an object, such as JSON in a string: the SDK refuses them with the insides of its
// schema, and the gate says what the right call is. So they travel through the SDK inside an object, from where the
// message came in to the gate.
import { isJsonObject, type JsonObject } from "../../schema/json.ts";

/** No parameter has such a name. */
const KEY = "dottool/arguments";

/** Any message; `null` stands for no arguments, as many clients send it. */
export function wrapArguments(message: JsonObject): JsonObject {
  const { method, params } = message;
  if (method !== "tools/call" || !isJsonObject(params)) return message;
  const { arguments: sent, ...rest } = params;
  if (sent === undefined || isJsonObject(sent)) return message;
  return { ...message, params: sent === null ? rest : { ...rest, arguments: { [KEY]: sent } } };
}

/** As they were sent. */
export function sentArguments(args: JsonObject = {}): unknown {
  return Object.hasOwn(args, KEY) ? args[KEY] : args;
}
