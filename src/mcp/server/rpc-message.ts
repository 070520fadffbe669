// What is a message of JSON-RPC 2.0 as MCP uses it, without the 60 ms that a schema library takes to load.
import { isJsonObject } from "../../schema/json.ts";

export interface RpcError {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** Undefined: it is a request, a notification or an answer. */
export function invalidMessage(value: unknown): RpcError | undefined {
  if (Array.isArray(value)) return invalid(null, "messages come one by one; this protocol has no batches");
  if (!isJsonObject(value)) return invalid(null, "a message is a JSON object");
  const { jsonrpc, id, method, params, result, error } = value;
  const known = typeof id === "string" || Number.isInteger(id) ? (id as string | number) : null;
  if (jsonrpc !== "2.0") return invalid(known, '`jsonrpc` is "2.0" in every message');
  if (id !== undefined && known === null) return invalid(null, "`id` is a text or a whole number");
  if (method === undefined) {
    const isAnswer = known !== null && (isJsonObject(result) !== isJsonObject(error));
    return isAnswer || (known === null && isJsonObject(error)) ? undefined : invalid(known, "a message has a `method`, or answers one with a `result` or an `error`");
  }
  if (typeof method !== "string") return invalid(known, "`method` is a text");
  if (params !== undefined && !isJsonObject(params)) return invalid(known, "`params` is an object");
  return undefined;
}

function invalid(id: string | number | null, message: string): RpcError {
  return { jsonrpc: "2.0", id, error: { code: -32600, message } };
}
