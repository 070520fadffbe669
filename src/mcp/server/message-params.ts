// What the parameters of a method have to be, in words: the SDK drops some messages without an answer, and shows the
// insides of a schema library for others.
import { isJsonObject, type JsonObject } from "../../schema/json.ts";

/** What is wrong; undefined: nothing that is known here. */
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

/** Requests of 2026-07-28 carry it. */
const REVISION_KEY = "io.modelcontextprotocol/protocolVersion";
const TASK_KEY = "io.modelcontextprotocol/related-task";

function metaProblem(meta: unknown): string | undefined {
  if (meta === undefined) return undefined;
  if (!isJsonObject(meta)) return "`_meta` is an object";
  const { progressToken, [TASK_KEY]: task } = meta;
  if (progressToken !== undefined && typeof progressToken !== "string" && !Number.isSafeInteger(progressToken))
    return "`progressToken` is a text or a whole number";
  return task === undefined || (isJsonObject(task) && typeof task["taskId"] === "string")
    ? undefined
    : `\`${TASK_KEY}\` is an object with the text \`taskId\``;
}

interface Rule {
  readonly methods: readonly string[];
  readonly key: string;
  readonly problem: string;
  /** 2026-07-28 knows no such methods, whatever their parameters. */
  readonly wasRemoved?: true;
  isSo(value: unknown): boolean;
}

const isText = (value: unknown): boolean => typeof value === "string";
const levels: readonly unknown[] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

const rules: readonly Rule[] = [
  {
    methods: ["tools/list", "prompts/list", "resources/list", "resources/templates/list"],
    key: "cursor",
    problem: "`cursor` is the text of the page before; leave it out to begin anew",
    isSo: (value) => value === undefined || isText(value),
  },
  { methods: ["tools/call", "prompts/get"], key: "name", problem: "`name` is a text", isSo: isText },
  {
    methods: ["prompts/get"],
    key: "arguments",
    problem: "`arguments` is an object of texts",
    isSo: (value) => value === undefined || (isJsonObject(value) && Object.values(value).every(isText)),
  },
  { methods: ["resources/read"], key: "uri", problem: "`uri` is a text", isSo: isText },
  {
    methods: ["resources/subscribe", "resources/unsubscribe"],
    key: "uri",
    problem: "`uri` is a text",
    wasRemoved: true,
    isSo: isText,
  },
  {
    methods: ["logging/setLevel"],
    key: "level",
    problem: `\`level\` is one of ${levels.join(", ")}`,
    wasRemoved: true,
    isSo: (value) => levels.includes(value),
  },
  {
    methods: ["completion/complete"],
    key: "argument",
    problem: "`argument` is an object with the texts `name` and `value`",
    isSo: (value) => isJsonObject(value) && isText(value["name"]) && isText(value["value"]),
  },
];
