// The headers that each request of 2026-07-28 repeats of its body, for what lies between client and server, and those
// that a tool's schema asks for (`x-mcp-header`). One that disagrees with the body is refused.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import { metaOf } from "./open-request.ts";
import { errorCodes, metaKeys, type RpcFault, type RpcMessage } from "./protocol.ts";
import { modernRevision } from "./server-facts.ts";

const VERSION_HEADER = "mcp-protocol-version";
const METHOD_HEADER = "mcp-method";
const NAME_HEADER = "mcp-name";

/** What `Mcp-Name` repeats. */
const nameKeys: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

/** Whether the headers say that a message is of 2026-07-28 or later. */
export function isModernByHeader(headers: Headers): boolean {
  return (headers.get(VERSION_HEADER) ?? "") >= modernRevision;
}

/** Returns what is wrong with the headers of a request or a notification of 2026-07-28. */
export function headerFault(headers: Headers, { id, method = "", params = {} }: RpcMessage): RpcFault | undefined {
  const isRequest = id !== undefined;
  const revision = metaOf(params)[metaKeys.revision];
  const version = headers.get(VERSION_HEADER);
  if (isRequest && version !== null && revision === undefined)
    return {
      code: errorCodes.invalidParams,
      message: `a request of ${version.slice(0, 100)} needs \`${metaKeys.revision}\` and \`${metaKeys.capabilities}\` in \`_meta\``,
    };
  const name = isRequest ? params[nameKeys.get(method) ?? ""] : undefined;
  for (const [header, value] of [
    [VERSION_HEADER, revision],
    [METHOD_HEADER, method],
    [NAME_HEADER, name],
  ] as const) {
    const given = headers.get(header);
    if (typeof value !== "string" || (given === null && !isRequest)) continue;
    const fault = repeats(header, given, value);
    if (fault) return fault;
  }
  return undefined;
}

/** Returns what is wrong with the headers that the schema of a tool asks for. */
export function parameterHeaderFault(headers: Headers, schema: JsonObject, args: unknown): RpcFault | undefined {
  const { properties } = schema;
  if (!isJsonObject(properties) || !isJsonObject(args)) return undefined;
  for (const [key, property] of Object.entries(properties)) {
    const value = Object.hasOwn(args, key) ? args[key] : undefined;
    if (!isJsonObject(property) || value === undefined || value === null) continue;
    const { "x-mcp-header": name } = property;
    const fault =
      typeof name === "string" && TOKEN.test(name) && typeof value !== "object"
        ? repeats(`mcp-param-${name}`, headers.get(`mcp-param-${name}`), value)
        : parameterHeaderFault(headers, property, value);
    if (fault) return fault;
  }
  return undefined;
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const DECIMAL = /^-?\d+(\.\d+)?$/;
const BASE64 = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;

function repeats(header: string, given: string | null, value: Json): RpcFault | undefined {
  const wrong = (text: string): RpcFault => ({
    code: errorCodes.headerMismatch,
    message: `the header \`${header}\` ${text}, and the body has ${JSON.stringify(value).slice(0, 200)}`,
  });
  if (given === null) return wrong("is missing");
  const read = decoded(given);
  if (read === undefined) return wrong("is not valid base64");
  const isSame = typeof value === "number" && DECIMAL.test(read) ? Number(read) === value : read === String(value);
  return isSame ? undefined : wrong(`is \`${read.slice(0, 200)}\``);
}

/** Returns undefined for what is not base64 of UTF-8 although it says so. */
function decoded(given: string): string | undefined {
  if (!given.startsWith("=?base64?") || !given.endsWith("?=")) return given;
  const [, text] = BASE64.exec(given) ?? [];
  try {
    return text === undefined
      ? undefined
      : new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "base64"));
  } catch {
    return undefined;
  }
}
