// Reads messages of JSON-RPC 2.0 in the form of MCP. What it returns has the form of its type; the parameters of a
// method are checked with the method.
import { isDeeper, isJsonObject } from "../../core/schema/json.ts";
import { errorCodes, failedAnswer, type RequestId, type RpcMessage } from "./protocol.ts";

/** A message, or the answer to one that cannot be taken. */
type Read = { readonly message: RpcMessage } | { readonly refused: RpcMessage };

/** The limit of nesting. Far deeper messages would overflow the stack of recursive code. */
const DEPTH_MAX = 500;
const keys: readonly string[] = ["jsonrpc", "id", "method", "params"];

/** `where` is what holds the text. */
export function readText(text: string, where: "body" | "line"): Read {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { refused: failedAnswer(null, { code: errorCodes.parse, message: `the ${where} is not JSON: ${reason}` }) };
  }
  return readMessage(value);
}

export function readMessage(value: unknown): Read {
  const refused = problemOf(value);
  return refused ? { refused } : { message: value as RpcMessage };
}

/** Returns what is wrong, or undefined for a request, a notification or an answer. */
function problemOf(value: unknown): RpcMessage | undefined {
  if (Array.isArray(value)) return invalid(null, "send one message at a time; this protocol has no batches");
  if (!isJsonObject(value)) return invalid(null, "a message must be a JSON object");
  const { jsonrpc, id, method, params, result, error } = value;
  const known = typeof id === "string" || Number.isSafeInteger(id) ? (id as RequestId) : null;
  if (jsonrpc !== "2.0") return invalid(known, '`jsonrpc` must be "2.0"');
  if (id !== undefined && known === null) return invalid(null, "`id` must be a string or an integer");
  if (isDeeper(value, DEPTH_MAX)) return invalid(known, `a message can be nested at most ${DEPTH_MAX} levels deep`);
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
  const problem = metaProblem(params["_meta"]);
  return problem === undefined ? undefined : invalid(known, problem, errorCodes.invalidParams);
}

/** Returns the message for a request whose id belongs to a running request. */
export function takenIdText(id: RequestId): string {
  return `the request with the id ${JSON.stringify(id)} is still running, so this one was not run; give each request its own id`;
}

function invalid(id: RequestId | null, message: string, code: number = errorCodes.invalidRequest): RpcMessage {
  return failedAnswer(id, { code, message });
}

const TASK_KEY = "io.modelcontextprotocol/related-task";

function metaProblem(meta: unknown): string | undefined {
  if (meta === undefined) return undefined;
  if (!isJsonObject(meta)) return "`_meta` must be an object";
  const { progressToken, [TASK_KEY]: task } = meta;
  if (progressToken !== undefined && typeof progressToken !== "string" && !Number.isSafeInteger(progressToken))
    return "`progressToken` must be a string or an integer";
  return task === undefined || (isJsonObject(task) && typeof task["taskId"] === "string")
    ? undefined
    : `\`${TASK_KEY}\` must be an object with the string \`taskId\``;
}
