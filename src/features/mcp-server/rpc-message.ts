// Checks messages of JSON-RPC 2.0 in the form of MCP, without the 60 ms that a schema library takes to load.
import { isJsonObject, type JsonObject } from "../../core/schema/json.ts";

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

// The rules for the parameters of a method, in words. The SDK drops some wrong messages without an answer, and for
// others shows the insides of a schema library.

/** Returns what is wrong, or undefined if no rule here is broken. */
function paramsProblem(method: string, params: JsonObject): string | undefined {
  const meta = params["_meta"];
  const isModern = isJsonObject(meta) && meta[REVISION_KEY] !== undefined;
  return (
    metaProblem(meta) ??
    (isModern ? rules.filter(({ wasRemoved }) => !wasRemoved) : rules).find(
      ({ methods, key, isSo }) => methods.includes(method) && !isSo(params[key]),
    )?.problem
  );
}

/** The key that requests of 2026-07-28 carry. */
const REVISION_KEY = "io.modelcontextprotocol/protocolVersion";
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

interface Rule {
  readonly methods: readonly string[];
  readonly key: string;
  readonly problem: string;
  /** Set for methods that do not exist in 2026-07-28, whatever their parameters. */
  readonly wasRemoved?: true;
  isSo(value: unknown): boolean;
}

const isText = (value: unknown): boolean => typeof value === "string";
const levels: readonly unknown[] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

const rules: readonly Rule[] = [
  {
    methods: ["tools/list", "prompts/list", "resources/list", "resources/templates/list"],
    key: "cursor",
    problem: "`cursor` must be the string from the previous page; leave it out to start over",
    isSo: (value) => value === undefined || isText(value),
  },
  { methods: ["tools/call", "prompts/get"], key: "name", problem: "`name` must be a string", isSo: isText },
  {
    methods: ["prompts/get"],
    key: "arguments",
    problem: "`arguments` must be an object of strings",
    isSo: (value) => value === undefined || (isJsonObject(value) && Object.values(value).every(isText)),
  },
  { methods: ["resources/read"], key: "uri", problem: "`uri` must be a string", isSo: isText },
  {
    methods: ["resources/subscribe", "resources/unsubscribe"],
    key: "uri",
    problem: "`uri` must be a string",
    wasRemoved: true,
    isSo: isText,
  },
  {
    methods: ["logging/setLevel"],
    key: "level",
    problem: `\`level\` must be one of ${levels.join(", ")}`,
    wasRemoved: true,
    isSo: (value) => levels.includes(value),
  },
  {
    methods: ["completion/complete"],
    key: "argument",
    problem: "`argument` must be an object with the strings `name` and `value`",
    isSo: (value) => isJsonObject(value) && isText(value["name"]) && isText(value["value"]),
  },
];
