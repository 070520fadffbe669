// Reads messages of JSON-RPC 2.0 in the form of MCP. What it returns can be trusted to have the form of its type, and
// the parameters that methods use are of the right types.
import { isDeeper, isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import { errorCodes, failedAnswer, logLevels, metaKeys, type RequestId, type RpcMessage } from "./protocol.ts";

/** A message, or the answer to one that cannot be taken. */
export type Read = { readonly message: RpcMessage } | { readonly refused: RpcMessage };

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
  const problem = paramsProblem(method, params);
  return problem === undefined ? undefined : invalid(known, problem, errorCodes.invalidParams);
}

/** Returns the message for a request whose id belongs to a running request. */
export function takenIdText(id: RequestId): string {
  return `the request with the id ${JSON.stringify(id)} is still running, so this one was not run; give each request its own id`;
}

function invalid(id: RequestId | null, message: string, code: number = errorCodes.invalidRequest): RpcMessage {
  return failedAnswer(id, { code, message });
}

// The rules for the parameters of a method, in words.

/** Returns what is wrong, or undefined if no rule here is broken. */
function paramsProblem(method: string, params: JsonObject): string | undefined {
  const meta = params["_meta"];
  const isModern = isJsonObject(meta) && meta[metaKeys.revision] !== undefined;
  return (
    metaProblem(meta) ??
    (isModern ? rules.filter(({ wasRemoved }) => !wasRemoved) : rules).find(
      ({ methods, key, isSo }) => methods.includes(method) && !isSo(params[key]),
    )?.problem
  );
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

interface Rule {
  readonly methods: readonly string[];
  readonly key: string;
  readonly problem: string;
  /** Set for methods that do not exist in 2026-07-28, whatever their parameters. */
  readonly wasRemoved?: true;
  isSo(value: unknown): boolean;
}

const isText = (value: unknown): boolean => typeof value === "string";

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
    problem: `\`level\` must be one of ${logLevels.join(", ")}`,
    wasRemoved: true,
    isSo: (value) => logLevels.includes(value as Json),
  },
  {
    methods: ["initialize"],
    key: "protocolVersion",
    problem: "`protocolVersion` must be a string",
    wasRemoved: true,
    isSo: isText,
  },
  {
    methods: ["initialize"],
    key: "capabilities",
    problem: "`capabilities` must be an object",
    wasRemoved: true,
    isSo: isJsonObject,
  },
  {
    methods: ["initialize"],
    key: "clientInfo",
    problem: "`clientInfo` must be an object with the strings `name` and `version`",
    wasRemoved: true,
    isSo: (value) => isJsonObject(value) && isText(value["name"]) && isText(value["version"]),
  },
  {
    methods: ["completion/complete"],
    key: "ref",
    problem: "`ref` must be an object with the string `type`",
    isSo: (value) => isJsonObject(value) && isText(value["type"]),
  },
  {
    methods: ["completion/complete"],
    key: "argument",
    problem: "`argument` must be an object with the strings `name` and `value`",
    isSo: (value) => isJsonObject(value) && isText(value["name"]) && isText(value["value"]),
  },
];
