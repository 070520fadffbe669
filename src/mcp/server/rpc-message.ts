// Checks messages of JSON-RPC 2.0 in the form of MCP, without the 60 ms that a schema library takes to load.
import { isJsonObject } from "../../schema/json.ts";
import { paramsProblem } from "./message-params.ts";

export interface RpcError {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** The limit of nesting. Far deeper messages would overflow the stack of recursive code. */
const DEPTH_MAX = 500;
const keys: readonly string[] = ["jsonrpc", "id", "method", "params"];

/** Returns what is wrong, or undefined for a request, a notification or an answer. */
export function invalidMessage(value: unknown): RpcError | undefined {
  if (Array.isArray(value)) return invalid(null, "send one message at a time; this protocol has no batches");
  if (!isJsonObject(value)) return invalid(null, "a message must be a JSON object");
  const { jsonrpc, id, method, params, result, error } = value;
  const known = typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : null;
  if (jsonrpc !== "2.0") return invalid(known, '`jsonrpc` must be "2.0"');
  if (id !== undefined && known === null) return invalid(null, "`id` must be a string or an integer");
  if (method === undefined) {
    const isAnswer = known !== null && isJsonObject(result) !== isJsonObject(error);
    return isAnswer || (known === null && isJsonObject(error))
      ? undefined
      : invalid(known, "a message needs a `method`, a `result` or an `error`");
  }
  if (typeof method !== "string") return invalid(known, "`method` must be a string");
  const extra = Object.keys(value).find((key) => !keys.includes(key));
  if (extra !== undefined)
    return invalid(
      known,
      `unexpected field \`${extra.slice(0, 100)}\`; a message has ${keys.map((key) => `\`${key}\``).join(", ")}`,
    );
  if (params === undefined) return undefined;
  if (!isJsonObject(params)) return invalid(known, "`params` must be an object");
  if (isDeeper(params, DEPTH_MAX)) return invalid(known, `a message can be nested at most ${DEPTH_MAX} levels deep`);
  const problem = paramsProblem(method, params);
  return problem === undefined ? undefined : invalid(known, problem, -32602);
}

/** Returns the message for a request whose id belongs to a running request. */
export function takenIdText(id: string | number): string {
  return `the request with the id ${JSON.stringify(id)} is still running, so this one was not run; give each request its own id`;
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => isDeeper(item, depth - 1));
}

function invalid(id: string | number | null, message: string, code = -32600): RpcError {
  return { jsonrpc: "2.0", id, error: { code, message } };
}
