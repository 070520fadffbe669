// Reads the text between `<tool>` and `</tool>`: JSON or XML with `server_name`, `tool_name` and `arguments`, and
// nothing else.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import type { ModelCall } from "./model-call.ts";
import { faultText, parseStrictJson, readJson } from "./strict-json.ts";
import { readXmlBody, type XmlElement } from "./xml-body.ts";

/** The only server: tools of MCP servers have local names here. */
export const LOCAL_SERVER = "local";

interface CallBody {
  readonly call: ModelCall;
  /** Whether the end of the call is uncertain: the following text may be a part of it. */
  readonly isBroken: boolean;
}

/** `isCut`: the reply ended before `</tool>`. */
export function readCallBody(body: string, isCut = false): CallBody {
  const text = (isCut ? body.replace(HALF_CLOSE, "") : body).trim().replace(/^```\w*\s*\n/, "");
  const read = text.startsWith("<") || text === "" ? readXml(text) : readJsonCall(text);
  if (!isCut)
    return read.isBroken && read.call.kind === "faulty"
      ? {
          ...read,
          call: {
            ...read.call,
            problem: `${read.call.problem}; where the call ends is not certain, so nothing after it was read: send what followed again`,
          },
        }
      : read;
  // Another problem explains why no end was found.
  const why = read.call.kind === "faulty" && !read.isCut ? `${read.call.problem}, and ` : "";
  return {
    ...faulty(
      `${why}the reply ends before \`</tool>\`, so nothing of it was run; send the whole call again, in pieces if it is long`,
      nameIn(text),
    ),
    isBroken: true,
  };
}

const HALF_CLOSE = /<(?:\/(?:t(?:o(?:ol?)?)?)?)?$/;

interface BodyRead extends CallBody {
  readonly isCut?: boolean;
}

/** The limit of `owner/name`, each of 64. */
export const NAME_CHARACTERS_MAX = 129;

/** The correct form of a call, for models. */
export const CALL_FORM = '<tool>{"server_name":"local","tool_name":"NAME","arguments":{…}}</tool>';

function readJsonCall(text: string): BodyRead {
  const { value, end, faults } = readJson(text);
  const fault = value === undefined ? faults.at(-1) : faults[0];
  if (value === undefined)
    return {
      ...faulty(
        `the JSON of the call cannot be read: ${fault ? faultText(text, fault) : "there is none"}`,
        nameIn(text),
      ),
      isBroken: true,
      isCut: fault?.isCut ?? false,
    };
  const rest = text
    .slice(end)
    .replace(/^\s*```/, "")
    .trim();
  const name = isJsonObject(value) && typeof value["tool_name"] === "string" ? value["tool_name"] : undefined;
  if (fault)
    return {
      ...faulty(`the JSON of the call cannot be used: ${faultText(text, fault)}`, name),
      isBroken: rest.includes("<"),
    };
  if (rest !== "")
    return {
      ...faulty(`expected \`</tool>\` after the JSON of the call, got ${shown(rest)}`, name),
      isBroken: rest.includes("<"),
    };
  if (!isJsonObject(value))
    return {
      ...faulty(
        `a call is one object, as in ${CALL_FORM}${Array.isArray(value) ? "; write several calls as several `<tool>`" : ""}`,
      ),
      isBroken: false,
    };
  return { call: callOf(value), isBroken: false };
}

const FIELDS = ["server_name", "tool_name", "arguments"];

function callOf(fields: JsonObject): ModelCall {
  const name = fields["tool_name"];
  if (typeof name !== "string" || name === "")
    return faulty(`the call has no \`tool_name\` with the name of a tool; a call is ${CALL_FORM}`).call;
  if (name.length > NAME_CHARACTERS_MAX) return faulty(longName(name)).call;
  const server = serverProblem(fields["server_name"]);
  if (server !== undefined) return faulty(server, name).call;
  const extra = Object.keys(fields).find((field) => !FIELDS.includes(field));
  if (extra !== undefined)
    return faulty(
      `${shown(extra)} is not allowed beside \`tool_name\`; the tool's arguments go into \`arguments\``,
      name,
    ).call;
  const read = argumentsOf(fields["arguments"]);
  return "problem" in read ? faulty(read.problem, name).call : { kind: "sound", name, arguments: read.arguments };
}

/** Reads an object, or an object as JSON in a string, which APIs and models also send. Empty means no arguments. */
export function argumentsOf(
  given: Json | undefined,
): { readonly arguments: JsonObject } | { readonly problem: string } {
  if (given === undefined || given === null || (typeof given === "string" && given.trim() === ""))
    return { arguments: {} };
  if (typeof given !== "string")
    return isJsonObject(given)
      ? { arguments: given }
      : { problem: 'the arguments must be an object, as in {"name": "value"}' };
  const parsed = parseStrictJson(given);
  if ("problem" in parsed) return { problem: `the arguments are not usable JSON: ${parsed.problem}` };
  return isJsonObject(parsed.value)
    ? { arguments: parsed.value }
    : { problem: 'the arguments must be an object, as in {"name": "value"}' };
}

function serverProblem(server: Json | undefined): string | undefined {
  if (server === undefined || server === null || server === LOCAL_SERVER) return undefined;
  return `there is no server ${shown(typeof server === "string" ? server : JSON.stringify(server))}; \`server_name\` must be \`${LOCAL_SERVER}\` for every tool`;
}

function readXml(text: string): BodyRead {
  if (text === "") return { ...faulty(`the call is empty; a call is ${CALL_FORM}`), isBroken: false };
  const { elements, problem } = readXmlBody(text);
  const name = fieldIn(elements, "tool_name")?.text;
  // If the structure is broken, `</tool>` may have been a part of a value.
  if (problem !== undefined)
    return { ...faulty(`the XML of the call cannot be read: ${problem}`, name), isBroken: true };
  const extra = elements.find((element) => !FIELDS.includes(element.name));
  const twice = elements
    .slice(0, FIELDS.length + 1)
    .find((element, index) => elements.findIndex((other) => other.name === element.name) !== index);
  if (twice)
    return { ...faulty(`\`<${twice.name}>\` is given twice; one \`<tool>\` is one call`, name), isBroken: false };
  if (extra)
    return {
      ...faulty(
        `\`<${extra.name}>\` is not allowed beside \`<tool_name>\`; the tool's arguments go into \`<arguments>\``,
        name,
      ),
      isBroken: false,
    };
  if (name === undefined || name === "")
    return { ...faulty("the call has no `<tool_name>` with the name of a tool"), isBroken: false };
  if (name.length > NAME_CHARACTERS_MAX) return { ...faulty(longName(name)), isBroken: false };
  const server = serverProblem(fieldIn(elements, "server_name")?.text);
  if (server !== undefined) return { ...faulty(server, name), isBroken: false };
  const given = fieldIn(elements, "arguments");
  if (!given || given.children.length > 0 || given.text === "")
    return { call: { kind: "sound", name, arguments: {}, elements: given?.children ?? [] }, isBroken: false };
  const read = argumentsOf(given.text);
  return {
    call: "problem" in read ? faulty(read.problem, name).call : { kind: "sound", name, arguments: read.arguments },
    isBroken: false,
  };
}

function fieldIn(elements: readonly XmlElement[], name: string): XmlElement | undefined {
  return elements.find((element) => element.name === name);
}

/** Returns the name of a call that cannot be read, but only from its very start, where it is not part of a value. */
function nameIn(text: string): string | undefined {
  return /^(?:\{\s*(?:"server_name"\s*:\s*"[^"\\]*"\s*,\s*)?"tool_name"\s*:\s*"([^"\\]{1,130})"|(?:<server_name>[^<]*<\/server_name>\s*)?<tool_name>\s*([^<\s](?:[^<]{0,128}[^<\s])?)\s*<\/tool_name>)/
    .exec(text)
    ?.slice(1)
    .find((name) => name !== undefined);
}

export function longName(name: string): string {
  return `the name of the tool has ${name.length.toLocaleString("en")} characters, which is longer than any tool name`;
}

function faulty(problem: string, name?: string): { readonly call: ModelCall } {
  return {
    call: { kind: "faulty", problem, ...(name === undefined || name.length > NAME_CHARACTERS_MAX ? {} : { name }) },
  };
}

function shown(text: string): string {
  return `\`${text.slice(0, 40).toWellFormed().replaceAll(/\s+/g, " ")}${text.length > 40 ? "…" : ""}\``;
}
