// What is a message of JSON-RPC 2.0 as MCP uses it, without the 60 ms that a schema library takes to load.
import { isJsonObject } from "../../schema/json.ts";
import { paramsProblem } from "./message-params.ts";

export interface RpcError {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** What goes through a message part by part would run out of stack long after this. */
const DEPTH_MAX = 500;
const keys: readonly string[] = ["jsonrpc", "id", "method", "params"];

/** Undefined: it is a request, a notification or an answer. */
export function invalidMessage(value: unknown): RpcError | undefined {
  if (Array.isArray(value)) return invalid(null, "messages come one by one; this protocol has no batches");
  if (!isJsonObject(value)) return invalid(null, "a message is a JSON object");
  const { jsonrpc, id, method, params, result, error } = value;
  const known = typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : null;
  if (jsonrpc !== "2.0") return invalid(known, '`jsonrpc` is "2.0" in every message');
  if (id !== undefined && known === null) return invalid(null, "`id` is a text or a whole number");
  if (method === undefined) {
    const isAnswer = known !== null && isJsonObject(result) !== isJsonObject(error);
    return isAnswer || (known === null && isJsonObject(error))
      ? undefined
      : invalid(known, "a message has a `method`, or answers one with a `result` or an `error`");
  }
  if (typeof method !== "string") return invalid(known, "`method` is a text");
  const extra = Object.keys(value).find((key) => !keys.includes(key));
  if (extra !== undefined)
    return invalid(
      known,
      `\`${extra.slice(0, 100)}\` is no part of a message; it has ${keys.map((key) => `\`${key}\``).join(", ")}`,
    );
  if (params === undefined) return undefined;
  if (!isJsonObject(params)) return invalid(known, "`params` is an object");
  if (isDeeper(params, DEPTH_MAX)) return invalid(known, `a message is nested ${DEPTH_MAX} deep at most`);
  const problem = paramsProblem(method, params);
  return problem === undefined ? undefined : invalid(known, problem, -32602);
}

/** Of a request whose id another one has that is under way. */
export function takenIdText(id: string | number): string {
  return `the request with the id ${JSON.stringify(id)} is not answered yet, so this one was not run; give each request an id of its own`;
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => isDeeper(item, depth - 1));
}

function invalid(id: string | number | null, message: string, code = -32600): RpcError {
  return { jsonrpc: "2.0", id, error: { code, message } };
}
