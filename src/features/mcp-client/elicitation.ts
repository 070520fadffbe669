// Answers a server that asks for something while it works. The person waiting for the call is asked field by field, or
// the program that made the call is asked. If no one can be asked, the answer is no. Addresses to open are never
// offered, since a person who opens one believes that we vouch for it.
import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";
import { convertText } from "../../core/schema/convert-text.ts";
import { isJsonObject, type Json, type JsonObject, mappedTexts } from "../../core/schema/json.ts";
import { validateValue } from "../../core/schema/validate.ts";
import { spelledOut } from "../../core/text/hidden-characters.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import { serverParameters } from "./server-schema.ts";

interface ElicitationOptions {
  readonly server: string;
  /** The call that the server asks about. Undefined if no call waits, so that the question is unexpected. */
  readonly call: ToolContext | undefined;
}

/** The questions of a call, so that no server asks until a person gives in. */
const QUESTIONS_MAX = 20;
const ATTEMPTS_MAX = 3;
const FIELDS_MAX = 30;

/** The number of questions of each call so far. */
const asked = new WeakMap<ToolContext, number>();

export async function answerElicitation(
  given: ElicitRequest["params"],
  { server, call }: ElicitationOptions,
): Promise<ElicitResult> {
  if (!call || !("requestedSchema" in given)) return { action: "decline" };
  const count = (asked.get(call) ?? 0) + 1;
  if (count > QUESTIONS_MAX) return { action: "decline" };
  asked.set(call, count);
  // A client may show it at a terminal.
  const params = mappedTexts(given as unknown as Json, spelledOut) as unknown as typeof given;
  const { person, client } = call;
  const intro = `the MCP server ${server} asks: ${params.message}`;
  // Our own client has a person in front of it. The SDK checks the answer against the question.
  if (!person && client?.canAnswer("elicitation/create"))
    return (await client.ask(`${server}: ${params.message}`, {
      method: "elicitation/create",
      params: { ...(params as unknown as JsonObject), message: intro },
    })) as unknown as ElicitResult;
  if (!person) return { action: "decline" };
  const schema = params.requestedSchema as unknown as JsonObject;
  const fields = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const { parameters } = serverParameters(schema);
  const names = Object.keys(fields);
  if (names.length > FIELDS_MAX) return { action: "decline" };
  if (names.length === 0)
    return { action: isYes(await person.ask(`${intro} [y/N]`, ["yes", "no"])) ? "accept" : "decline", content: {} };
  const content: Record<string, string | number | boolean | string[]> = {};
  for (const [index, name] of names.entries()) {
    const field = fields[name];
    const parameter = parameters[index];
    if (!isJsonObject(field) || !parameter) return { action: "decline" };
    const value = await fieldOf({
      question: `${index === 0 ? `${intro} — ` : ""}${name}${wordsOf(field)}`,
      field,
      schema: parameter.schema,
      person,
    });
    if (value !== undefined) content[name] = value as string | number | boolean | string[];
    else if (parameter.required) return { action: "decline" };
  }
  return { action: "accept", content };
}

interface Field {
  readonly question: string;
  readonly field: JsonObject;
  readonly schema: ReturnType<typeof serverParameters>["parameters"][number]["schema"];
  readonly person: NonNullable<ToolContext["person"]>;
}

/** Asks for one field. An empty answer stands for the default. Returns undefined if there is no value. */
async function fieldOf({ question, field, schema, person }: Field): Promise<Json | undefined> {
  const choices =
    schema.type === "boolean" ? ["true", "false"] : "choices" in schema ? (schema.choices ?? []).map(String) : [];
  for (let attempt = 0, problem = ""; attempt < ATTEMPTS_MAX; attempt++) {
    const answer = (await person.ask(`${question}${problem}`, choices)).trim();
    if (answer === "") return field["default"] ?? undefined;
    const converted = convertText(schema, answer);
    const issues =
      converted.value === undefined
        ? [{ message: converted.message }]
        : validateValue(schema, converted.value, "").issues;
    if (converted.value !== undefined && issues.length === 0) return converted.value;
    problem = ` (${issues.map(({ message }) => message).join("; ")})`;
  }
  return undefined;
}

function wordsOf({ title, description, default: fallback }: JsonObject): string {
  const words = [title, description]
    .filter((word): word is string => typeof word === "string" && word !== "")
    .join(", ");
  return `${words === "" ? "" : ` (${words})`}${fallback === undefined ? "" : ` [${typeof fallback === "string" ? fallback : JSON.stringify(fallback)}]`}`;
}

function isYes(answer: string): boolean {
  return /^y(es)?$/i.test(answer.trim());
}
