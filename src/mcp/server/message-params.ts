// The rules for the parameters of a method, in words. The SDK drops some wrong messages without an answer, and for
// others shows the insides of a schema library.
import { isJsonObject, type JsonObject } from "../../schema/json.ts";

/** Returns what is wrong, or undefined if no rule here is broken. */
export function paramsProblem(method: string, params: JsonObject): string | undefined {
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
