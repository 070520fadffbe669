// Calls in the forms that open models were trained to write, found in the text of a reply. JSON between marks is read,
// and only if nothing but further calls follows it to the end of the reply, because text behind it makes it an example
// or a part of a value. Everything else that looks like a call is refused: values between tags have no certain end, and
// Python is not run.
import { isJsonObject, type Json } from "../../core/schema/json.ts";
import type { FaultyCall, ModelCall, SoundCall } from "./model-call.ts";
import { faultText, readJson } from "./strict-json.ts";
import { argumentsOf, CALL_FORM } from "./text-call.ts";
import { parseTextCalls, type TextReply } from "./text-reader.ts";

interface FormsRead {
  readonly calls: readonly ModelCall[];
  /** The text of the calls that were read; absent if they are refused. */
  readonly block?: string;
}

interface FormsOptions {
  /** Whether a tool of that name is offered. If absent, the sender says that the text has calls. */
  readonly isTool?: (name: string) => boolean;
  /** What a refusal tells the model to do instead. */
  readonly instead?: string;
}

const NAME = "([\\w./-]{1,129})";

const NOT_QUOTED = "(?<![\"'\\u2018-\\u201e\\u00ab\\u00bb\\u2039\\u203a])";

type Read = { readonly calls: readonly SoundCall[]; readonly end: number } | { readonly problem: string };

/** Without names of tools, any HTML is like it. */
const ELEMENTS = "<name><parameter>…";

interface Form {
  /** Absent if it is known only by its first mark. */
  readonly name?: string;
  /** Finds where the calls begin. */
  readonly start: RegExp;
  /** Reads all calls from there on. Absent if the form is refused. */
  readonly read?: (text: string, at: number) => Read;
  /** Set if only the name of a tool, the first group of `start`, tells it from other text. */
  readonly isUnmarked?: true;
}

const FORMS: readonly Form[] = [
  jsonForm("<|channel|>commentary to=functions.…", {
    open: `(?:<\\|start\\|>assistant)?(?:<\\|channel\\|>\\w+ to=functions\\.${NAME}| to=functions\\.${NAME}<\\|channel\\|>\\w+)\\s*(?:<\\|constrain\\|>)?(?:json)?\\s*<\\|message\\|>`,
    close: "<\\|call\\|>",
  }),
  jsonForm("<tool_call>", { open: "<tool_call>\\s*(?=[{[])", close: "</tool_call>" }),
  jsonForm("<function=…>", { open: `<function=${NAME}>\\s*(?=\\{)`, close: "</function>" }),
  jsonForm("[TOOL_CALLS]", { open: `\\[TOOL_CALLS\\]\\s*(?:${NAME}(?:\\[CALL_ID\\]\\w+)?\\[ARGS\\])?(?=\\s*[{[])` }),
  jsonForm("functools[…]", { open: "^functools\\s*(?=\\[)" }),
  {
    ...jsonForm('{"name": …, "parameters": …}', { open: "(?:<\\|python_tag\\|>)?(?=\\{)" }),
    start: new RegExp(`^\\s*(?:<\\|python_tag\\|>)?(?=\\{[^{}]{0,300}"name"\\s*:\\s*"${NAME}")`, "g"),
    isUnmarked: true,
  },
  { name: "Action: …, Action Input: …", start: new RegExp(`^Action:[ \\t]*${NAME}[ \\t]*\\n+Action Input:`, "gm") },
  { name: "tool_code", start: /^```tool_code[ \t]*\n/gm },
  { name: "[name(…)]", start: new RegExp(`^\\s*(?:<\\|python_start\\|>)?\\[\\s*${NAME}\\(`, "g"), isUnmarked: true },
  { name: ELEMENTS, start: new RegExp(`^<${NAME}>`, "gm"), isUnmarked: true },
  {
    start: new RegExp(
      `${NOT_QUOTED}(?:<tool(?:\\s[^<>\\n]{0,200})?(?:>|$(?![^]))|<(?:tool_calls?|function_calls?|tool_use|invoke)\\b[^<>\\n]{0,200}>|<function=[^<>\\n]{0,200}>|\\[TOOL_CALLS\\]|<\\|(?:tool|python)[^<>\\n]{0,200}\\|?>|<\uff5c(?:tool|DSML))`,
      "g",
    ),
  },
];

/** A quotation: code, also by four blanks after an empty line, comments, and lines that begin with `>`. */
const CODE =
  /(```|~~~)[^]*?(?:\1|(?![^]))|`[^`\n]*`|^[ \t]*>.*$|<!--[^]*?(?:-->|(?![^]))|(?<=\n[ \t]*\n)(?: {4}| {0,3}\t).*(?:\n(?: {4}| {0,3}\t).*)*/gm;
/** What a template may have before a call on its line: the end of another message. */
const TEMPLATE_TOKEN = /^[ \t]*(?:<\|.*\|>|<\/?s>)/;
/** The end of a turn in the templates of models. */
const TURN_END = /^(?:\s|<\|(?:im_end|eot_id|eom_id|end)\|>|<\/s>)*$/;

/** Reads the calls of a reply beside those of our own form. Returns undefined if there are none. */
export function callsInForms(reply: TextReply, { isTool, instead }: FormsOptions = {}): FormsRead | undefined {
  const { calls, text, quoted } = reply;
  const refusal = (why: string, from: string): FormsRead => ({ calls: [refused(why, from, instead)] });
  const found = firstIn(text, isTool);
  if (found) {
    const [form, at] = found;
    const from = text.slice(at);
    if (!form.read) return refusal(unread(form, from), from);
    const read = form.read(text, at);
    const problem =
      "problem" in read
        ? read.problem
        : calls.length > 0
          ? "another call is before it"
          : !TURN_END.test(text.slice(read.end))
            ? "there is text after it"
            : isWithinLine(text.slice(0, at))
              ? "it begins in the middle of a line, where it may be an example"
              : undefined;
    if ("problem" in read || problem !== undefined)
      return refusal(`the call in the form \`${form.name}\` cannot be read: ${problem}`, from);
    return { calls: read.calls, block: text.slice(at, read.end).trim() };
  }
  if (calls.length > 0 || quoted > 0) return undefined;
  const code = [...text.matchAll(CODE)].find(({ 0: all, index }) => text.slice(index + all.length).trim() === "")?.[0];
  const inner = code === undefined ? undefined : /^(```|~~~)\w*[ \t]*\n([^]*?)\1?\s*$/.exec(code)?.[2];
  if (inner !== undefined && (isInJson(inner, isTool) || (isTool && hasCall(inner, isTool))))
    return refusal("the call is in a code block, where it may be an example", inner);
  const json = text.slice(withoutCode(text).search(/^[ \t]*[{[]|\{\s*"(?:tool_)?name"\s*:|<tool_name>/m));
  return isInJson(json, isTool)
    ? refusal("the call is JSON without a form that says that it is a call", json)
    : undefined;
}

function unread({ name }: Form, from: string): string {
  if (name !== undefined) return `calls in the form \`${name}\` are not read`;
  const found = /^[^>\]\n]{0,200}[>\]]?/.exec(from)?.[0].trimEnd() ?? "";
  return /^<tool\s*>?$/.test(found) ? "there is no call after `<tool>`" : `\`${found}\` is not how a call begins here`;
}

function isWithinLine(before: string): boolean {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return line.replace(TEMPLATE_TOKEN, "").trim() !== "";
}

/** Returns the form of a call that only stands in code, in a comment or in a quotation. */
export function quotedForm(text: string): string | undefined {
  const plain = withoutCode(text);
  const unmarked = text.replaceAll(/^[ \t>]+/gm, "");
  for (const { name, start, isUnmarked } of FORMS) {
    if (name === undefined || isUnmarked || name === "tool_code") continue;
    const anywhere = new RegExp(start.source.replace(NOT_QUOTED, ""), start.flags);
    if (plain.search(start) === -1 && unmarked.search(anywhere) !== -1) return name;
  }
  return undefined;
}

function withoutCode(text: string): string {
  return text.replace(CODE, (code) => (code.startsWith("```tool_code") ? code : code.replaceAll(/[^\n]/g, " ")));
}

function firstIn(text: string, isTool: FormsOptions["isTool"]): readonly [Form, number] | undefined {
  const plain = withoutCode(text);
  let first: readonly [Form, number] | undefined;
  for (const form of FORMS) {
    const found = [...plain.matchAll(form.start)].find(
      ({ 1: name = "" }) => !form.isUnmarked || (isTool ? isTool(name) : form.name !== ELEMENTS),
    );
    if (found && (first === undefined || found.index < first[1])) first = [form, found.index];
  }
  return first;
}

function hasCall(text: string, isTool: (name: string) => boolean): boolean {
  const own = parseTextCalls(text);
  const calls = [...own.calls, ...(callsInForms(own, { isTool })?.calls ?? [])];
  return calls.some(({ name }) => name !== undefined && isTool(name));
}

const FIELDS = /"(?:tool_name|name)"\s*:\s*"([^"\\]{1,129})"/g;

/** Whether it has the fields of a call of a tool, complete or not. */
function isInJson(text: string, isTool: (name: string) => boolean = () => true): boolean {
  if (/"tool_name"\s*:|<tool_name>/.test(text)) return true;
  return (
    /^\s*[{[]/.test(text) &&
    /"(?:arguments|parameters)"\s*:/.test(text) &&
    [...text.matchAll(FIELDS)].some(([, name = ""]) => isTool(name))
  );
}

function refused(why: string, from: string, instead = `a call is ${CALL_FORM}`): FaultyCall {
  const name = /(?:name"?|function)\s*[=:]\s*["']?([\w./-]{1,129})/.exec(from.slice(0, 500))?.[1];
  return {
    kind: "faulty",
    ...(name === undefined ? {} : { name }),
    problem: `${why}, so nothing of it was run; ${name === undefined ? instead : instead.replace("NAME", name)}`,
  };
}

/** `open` may have the name of the tool; otherwise it is in the JSON. */
function jsonForm(name: string, { open, close = "" }: { readonly open: string; readonly close?: string }): Form {
  const [opening, closing] = [new RegExp(`\\s*${open}`, "my"), new RegExp(`\\s*${close}`, "y")];
  return {
    name,
    start: new RegExp(NOT_QUOTED + open, "gm"),
    read: (text, at) => {
      const calls: SoundCall[] = [];
      let end = at;
      for (;;) {
        opening.lastIndex = end;
        const found = opening.exec(text);
        if (!found || (found[0].trim() === "" && calls.length > 0)) return { calls, end };
        const { value, end: after, faults } = readJson(text, opening.lastIndex);
        const [fault] = faults;
        if (fault || value === undefined) return { problem: fault ? faultText(text, fault) : "it has no JSON" };
        const read = callsOf(
          value,
          found.slice(1).find((group) => group !== undefined),
        );
        if ("problem" in read) return read;
        calls.push(...read.calls);
        closing.lastIndex = after;
        end = closing.test(text) ? closing.lastIndex : after;
      }
    },
  };
}

const CALL_FIELDS = ["id", "type", "name", "arguments", "parameters"];

function callsOf(
  value: Json,
  name: string | undefined,
): { readonly calls: readonly SoundCall[] } | { readonly problem: string } {
  const calls: SoundCall[] = [];
  for (const item of Array.isArray(value) ? (value as readonly Json[]) : [value]) {
    const call = isJsonObject(item) && isJsonObject(item["function"]) ? item["function"] : item;
    const fields = name === undefined ? call : { name, arguments: call };
    if (!isJsonObject(fields)) return { problem: "a call is an object" };
    const extra = Object.keys(fields).find((field) => !CALL_FIELDS.includes(field));
    if (extra !== undefined)
      return { problem: `\`${extra.slice(0, 40)}\` is not allowed beside \`name\` and \`arguments\`` };
    const { name: tool, arguments: args, parameters } = fields;
    if (typeof tool !== "string" || tool === "") return { problem: "it does not name a tool" };
    if (args !== undefined && parameters !== undefined) return { problem: "it has both `arguments` and `parameters`" };
    const read = argumentsOf(args ?? parameters);
    if ("problem" in read) return read;
    calls.push({ kind: "sound", name: tool, arguments: read.arguments });
  }
  return calls.length === 0 ? { problem: "it has no call" } : { calls };
}
