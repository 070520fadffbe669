// The arguments within what a caller sent: models wrap them once more, write them as text, or leave their names out.
import { rowOf } from "../../core/text/row-of.ts";
import { isJsonObject } from "../../core/schema/json.ts";
import type { Parameter } from "../../core/schema/parameter.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { parseLoosely } from "./parse-loosely.ts";
import { hasSecrets } from "../../core/schema/secrets.ts";

const WRAPS_MAX = 4;

type Fields = Readonly<Record<string, unknown>>;

/** Names that calls and requests put around arguments. */
const wrapperNames: ReadonlySet<string> = new Set([
  "arguments",
  "args",
  "argument",
  "input",
  "inputs",
  "parameters",
  "params",
  "parameter",
  "kwargs",
  "tool_input",
  "tool_arguments",
  "toolInput",
  "function",
  "function_call",
  "call",
  "payload",
  "data",
  "body",
  "request",
  "value",
  "properties",
  "json",
]);
/** What stands beside arguments in a call or a request, and says nothing that is for the tool. */
const besides: Readonly<Record<string, (value: unknown, tool: string) => boolean>> = {
  ...Object.fromEntries(["name", "tool", "tool_name", "toolName"].map((name) => [name, isTool])),
  ...Object.fromEntries(["id", "tool_use_id", "call_id", "server_name"].map((name) => [name, isText])),
  type: (value) => isText(value) && /^(?:function|tool|tool_use|function_call|tool_call)$/.test(String(value)),
  method: (value) => value === "tools/call",
  jsonrpc: (value) => value === "2.0",
  _meta: isJsonObject,
};

function isTool(value: unknown, tool: string): boolean {
  return value === tool;
}

function isText(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}

export function unwrapArguments({ parameters, definition }: Tool, sent: unknown): Fields {
  let inner = sent;
  let outer: Fields | undefined;
  for (let wraps = 0; wraps < WRAPS_MAX; wraps++) {
    const next =
      typeof inner === "string"
        ? dataIn(inner, parameters)
        : isJsonObject(inner)
          ? unwrapped({ parameters, name: definition.name.value }, inner)
          : undefined;
    if (next === undefined) break;
    if (isFields(inner)) outer = inner;
    inner = next;
  }
  if (isFields(inner)) return inner;
  if (inner === undefined || inner === null) return {};
  // What has no place in the call stays under the name that the caller used, so that a message can name it.
  return named(parameters, inner) ?? outer ?? { arguments: inner };
}

/** Returns the data in a text. `TODO: fix` is a text, and `pattern: TODO` names a parameter. */
function dataIn(text: string, parameters: readonly Parameter[]): unknown {
  const data = parseLoosely(text);
  const isMarked = /^\s*[[{"`]/.test(text);
  return isMarked || (isJsonObject(data) && parameters.some(({ name }) => Object.hasOwn(data, name)))
    ? data
    : undefined;
}

/** Unwraps arguments. Returns undefined if this is not a wrapper. */
function unwrapped(
  { parameters, name: tool }: { readonly parameters: readonly Parameter[]; readonly name: string },
  sent: Fields,
): unknown {
  const names = Object.keys(sent);
  const isDeclared = (name: string): boolean => parameters.some((parameter) => parameter.name === name);
  const wrapper = names.find(
    (name) =>
      wrapperNames.has(name) &&
      !isDeclared(name) &&
      names.every(
        (other) =>
          other === name ||
          (Object.hasOwn(besides, other) &&
            rowOf(besides, other)?.(sent[other], tool) === true &&
            (!isDeclared(other) || sent[other] === tool)),
      ),
  );
  if (wrapper !== undefined) {
    const inner = sent[wrapper];
    return isJsonObject(inner) ||
      Array.isArray(inner) ||
      (typeof inner === "string" && parseLoosely(inner) !== undefined)
      ? inner
      : undefined;
  }
  // A wrapper that is named like a parameter contains the tool's own names.
  const [only, ...others] = names;
  const inner = only === undefined || others.length > 0 || !wrapperNames.has(only) ? undefined : sent[only];
  return isJsonObject(inner) &&
    parameters.some(({ name, schema }) => name === only && schema.type !== "object") &&
    Object.keys(inner).length > 0 &&
    Object.keys(inner).every(isDeclared)
    ? inner
    : undefined;
}

/**
 * Gives names to values without any, in the order of the parameters, required ones first. Returns undefined if there is
 * not one for each.
 */
function named(parameters: readonly Parameter[], value: unknown): Fields | undefined {
  // It is not known which of the values is a secret.
  if (hasSecrets(parameters)) return undefined;
  const offered = parameters.filter((parameter) => !parameter.hidden);
  const required = offered.filter((parameter) => parameter.required);
  const ordered = [...required, ...offered.filter((parameter) => !parameter.required)];
  if (Array.isArray(value)) {
    const items = value as readonly unknown[];
    const [first] = items;
    if (
      items.length === 1 &&
      isFields(first) &&
      Object.keys(first).some((name) => parameters.some((parameter) => parameter.name === name))
    )
      return first;
    const lists = offered.filter((parameter) => parameter.schema.type === "array");
    const [list] = lists.filter((parameter) => parameter.required || lists.length === 1);
    if (list && (required.length === 0 || (required.length === 1 && required[0] === list)))
      return { [list.name]: items };
    if (items.length > ordered.length || items.some((item) => typeof item === "object")) return undefined;
    return Object.fromEntries(ordered.slice(0, items.length).map((parameter, index) => [parameter.name, items[index]]));
  }
  const [first] = ordered;
  const isOnly = required.length === 1 || offered.length === 1;
  return first && isOnly && typeof value !== "function" && typeof value !== "symbol"
    ? { [first.name]: value }
    : undefined;
}

function isFields(value: unknown): value is Fields {
  return isJsonObject(value);
}
