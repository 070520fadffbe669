// Calls in the forms that open models were trained to write, found in the text of a reply: a row a form. Such a call
// is read only if nothing but further calls follows it to the end of the reply, because text behind it makes it an
// example or a part of a value. Everything else that looks like a call is refused by the name of its form.
import { isJsonObject, type Json } from "../schema/json.ts";
import type { FaultyCall, ModelCall, SoundCall } from "./model-call.ts";
import { pythonCalls } from "./python-calls.ts";
import { faultText, readJson } from "./strict-json.ts";
import { argumentsOf, CALL_FORM } from "./text-call.ts";
import { parseTextCalls, type TextReply } from "./text.ts";
import { readXmlBody, type XmlElement } from "./xml-body.ts";

interface FormsRead {
  readonly calls: readonly ModelCall[];
  /** The text of the calls that were read; absent if they are refused. */
  readonly block?: string;
}

interface FormsOptions {
  /** Whether a tool of that name is offered. If absent, the sender says that the text has calls. */
  readonly isTool?: (name: string) => boolean;
  /** What a model is told to do instead. */
  readonly instead?: string;
}

type Read = { readonly calls: readonly SoundCall[]; readonly end: number } | { readonly problem: string };

interface Form {
  /** Empty if it is known only by its first tag. */
  readonly name: string;
  /** Finds where the calls begin. */
  readonly start: RegExp;
  /** Reads all calls from there on. */
  read(text: string, at: number): Read;
  /** Set if only the name of a tool, the first group of `start`, tells it from other text. */
  readonly isUnmarked?: true;
}

const NAME = "([\\w./-]{1,129})";
const NOT_QUOTED = "(?<![\"'\\u2018-\\u201e\\u00ab\\u00bb\\u2039\\u203a])";

const FORMS: readonly Form[] = [
  jsonForm("<|channel|>commentary to=functions.…", {
    open: `(?:<\\|start\\|>assistant)?(?:<\\|channel\\|>\\w+ to=functions\\.${NAME}| to=functions\\.${NAME}<\\|channel\\|>\\w+)\\s*(?:<\\|constrain\\|>)?(?:json)?\\s*<\\|message\\|>`,
    close: "<\\|call\\|>",
  }),
  jsonForm("<tool_call>", { open: "<tool_call>\\s*(?=[{[])", close: "</tool_call>" }),
  jsonForm("<function=…>", { open: `<function=${NAME}>\\s*(?=\\{)`, close: "</function>" }),
  jsonForm("[TOOL_CALLS]", { open: `\\[TOOL_CALLS\\]\\s*(?:${NAME}(?:\\[CALL_ID\\]\\w+)?\\[ARGS\\])?(?=\\s*[{[])` }),
  jsonForm("functools[…]", { open: "^functools\\s*(?=\\[)" }),
  jsonForm("Action: …, Action Input: …", { open: `^Action:[ \\t]*${NAME}[ \\t]*\\n+Action Input:(?=\\s*\\{)` }),
  {
    ...jsonForm('{"name": …, "parameters": …}', { open: "(?:<\\|python_tag\\|>)?(?=\\{)" }),
    start: new RegExp(`^\\s*(?:<\\|python_tag\\|>)?(?=\\{[^{}]{0,300}"name"\\s*:\\s*"${NAME}")`, "g"),
    isUnmarked: true,
  },
  tagForm("<\uff5cDSML\uff5cfunction_calls>", {
    open: `<\uff5cDSML\uff5cfunction_calls>\\s*<\uff5cDSML\uff5cinvoke name="${NAME}">`,
    parameter: '<\uff5cDSML\uff5cparameter name="([\\w.-]+)"(?: string="(?:true|false)")?>',
    end: "</\uff5cDSML\uff5cparameter>",
    close: "</\uff5cDSML\uff5cinvoke>\\s*</\uff5cDSML\uff5cfunction_calls>",
  }),
  tagForm("<function_calls>", {
    open: `<function_calls>\\s*<invoke name="${NAME}">`,
    parameter: '<parameter name="([\\w.-]+)">',
    end: "</parameter>",
    close: "</invoke>\\s*</function_calls>",
  }),
  tagForm("<function=…>", {
    open: `(?:<tool_call>\\s*)?<function=${NAME}>`,
    parameter: "<parameter=([\\w.-]+)>",
    end: "</parameter>",
    close: "</function>(?:\\s*</tool_call>)?",
  }),
  {
    name: "tool_code",
    start: /^```tool_code[ \t]*\n/gm,
    read: (text, at) => {
      const code = /^```tool_code[ \t]*\n([^]*?)\n?[ \t]*```/.exec(text.slice(at));
      const read = code ? pythonCalls(code[1] ?? "") : { problem: "its code block does not end" };
      return "problem" in read ? read : { ...read, end: at + (code?.[0].length ?? 0) };
    },
  },
  {
    name: "[name(…)]",
    start: new RegExp(`^\\s*(?:<\\|python_start\\|>)?\\[\\s*${NAME}\\(`, "g"),
    isUnmarked: true,
    read: (text) => {
      const list = text.replaceAll(/<\|python_(?:start|end)\|>/g, "").trim();
      const read = list.endsWith("]") ? pythonCalls(list.slice(1, -1)) : { problem: "it does not end with `]`" };
      return "problem" in read ? read : { ...read, end: text.length };
    },
  },
  { name: "<name><parameter>…", start: new RegExp(`^<${NAME}>`, "gm"), isUnmarked: true, read: elementCall },
  {
    name: "",
    start: new RegExp(
      `${NOT_QUOTED}(?:<tool(?:\\s[^<>\\n]{0,200})?(?:>|$(?![^]))|<(?:tool_calls?|function_calls?|tool_use|invoke)\\b[^<>\\n]{0,200}>|<function=[^<>\\n]{0,200}>|\\[TOOL_CALLS\\]|<\\|(?:tool|python)[^<>\\n]{0,200}\\|?>|<\uff5ctool)`,
      "g",
    ),
    read: (text, at) => {
      const found = /^[^>\]\n]{0,200}[>\]]?/.exec(text.slice(at))?.[0].trimEnd() ?? "";
      return {
        problem: /^<tool\s*>?$/.test(found)
          ? "there is no call after `<tool>`"
          : `\`${found}\` is not how a call begins here`,
      };
    },
  },
];

/** A quotation: code, and lines that begin with `>`. */
const CODE = /(```|~~~)[^]*?(?:\1|(?![^]))|`[^`\n]*`|^[ \t]*>.*$/gm;
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
    const read = form.read(text, at);
    const problem =
      "problem" in read
        ? read.problem
        : calls.length > 0
          ? "another call is before it"
          : TURN_END.test(text.slice(read.end))
            ? undefined
            : "there is text after it";
    if ("problem" in read || problem !== undefined)
      return refusal(
        form.name === "" ? `${problem}` : `the call in the form \`${form.name}\` cannot be read: ${problem}`,
        from,
      );
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

function withoutCode(text: string): string {
  return text.replace(CODE, (code) => (code.startsWith("```tool_code") ? code : code.replaceAll(/[^\n]/g, " ")));
}

function firstIn(text: string, isTool: FormsOptions["isTool"]): readonly [Form, number] | undefined {
  const plain = withoutCode(text);
  let first: readonly [Form, number] | undefined;
  for (const form of FORMS) {
    const found = [...plain.matchAll(form.start)].find(
      ({ 1: name = "" }) => !form.isUnmarked || (isTool ? isTool(name) : form.read !== elementCall),
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

interface Tags {
  readonly open: string;
  readonly parameter: string;
  readonly end: string;
  readonly close: string;
}

/**
 * Tags around values that are not escaped: a value that a tool is to write may have such tags in it. So a reply has one
 * call, and no value has a tag that opens something.
 */
function tagForm(name: string, { open, parameter, end, close }: Tags): Form {
  const [opening, one, closing] = [open, `\\s*${parameter}`, `\\s*${close}`].map((source) => new RegExp(source, "y"));
  const opens = new RegExp(`${open}|${parameter}|${close}`);
  if (!opening || !one || !closing) throw new Error("there are three patterns");
  return {
    name,
    start: new RegExp(NOT_QUOTED + open, "g"),
    read: (text, at) => {
      opening.lastIndex = at;
      const tool = opening.exec(text)?.[1] ?? "";
      let next = opening.lastIndex;
      const elements: XmlElement[] = [];
      for (;;) {
        one.lastIndex = next;
        const found = one.exec(text);
        if (!found) break;
        const valueEnd = text.indexOf(end, one.lastIndex);
        if (valueEnd === -1) return { problem: `\`${end}\` is missing` };
        const value = text.slice(one.lastIndex, valueEnd).replace(/^\n/, "").replace(/\n$/, "");
        const key = found[1] ?? "";
        if (opens.test(value)) return { problem: `where the value of \`${key}\` ends is not certain` };
        if (elements.some((element) => element.name === key)) return { problem: `\`${key}\` is given twice` };
        elements.push({ name: key, text: value, children: [] });
        next = valueEnd + end.length;
      }
      closing.lastIndex = next;
      if (!closing.test(text)) return { problem: "its tags are not those of one complete call" };
      return { calls: [{ kind: "sound", name: tool, arguments: {}, elements }], end: closing.lastIndex };
    },
  };
}

/** Reads `<tool><parameter>value</parameter></tool>`, which has to be the end of the reply. */
function elementCall(text: string, at: number): Read {
  const name = /^<([^>]*)>/.exec(text.slice(at))?.[1] ?? "";
  const [open, close] = [`<${name}>`, `</${name}>`];
  const end = text.lastIndexOf(close);
  if (end === -1) return { problem: `\`${close}\` is missing` };
  const { elements, problem } = readXmlBody(text.slice(at + open.length, end));
  if (problem !== undefined) return { problem };
  return { calls: [{ kind: "sound", name, arguments: {}, elements }], end: end + close.length };
}
