// Calls in the forms that open models were trained to write, found in the text of a reply: a row a form. Such a call
// is read only if nothing but further calls follows it to the end of the reply, because text behind it makes it an
// example or a part of a value. Everything else that looks like a call is refused by the name of its form.
import { elementCall, type Form, jsonForm, NOT_QUOTED, tagForm } from "./form-readers.ts";
import type { FaultyCall, ModelCall } from "./model-call.ts";
import { CALL_FORM } from "./text-call.ts";
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

const REACT = "Action: …, Action Input: …";

const PYTHON = { problem: "it is Python, which is not run here" };

const FORMS: readonly Form[] = [
  jsonForm("<|channel|>commentary to=functions.…", {
    open: `(?:<\\|start\\|>assistant)?(?:<\\|channel\\|>\\w+ to=functions\\.${NAME}| to=functions\\.${NAME}<\\|channel\\|>\\w+)\\s*(?:<\\|constrain\\|>)?(?:json)?\\s*<\\|message\\|>`,
    close: "<\\|call\\|>",
  }),
  jsonForm("<tool_call>", { open: "<tool_call>\\s*(?=[{[])", close: "</tool_call>" }),
  jsonForm("<function=…>", { open: `<function=${NAME}>\\s*(?=\\{)`, close: "</function>" }),
  jsonForm("[TOOL_CALLS]", { open: `\\[TOOL_CALLS\\]\\s*(?:${NAME}(?:\\[CALL_ID\\]\\w+)?\\[ARGS\\])?(?=\\s*[{[])` }),
  jsonForm("functools[…]", { open: "^functools\\s*(?=\\[)" }),
  jsonForm(REACT, { open: `^Action:[ \\t]*${NAME}[ \\t]*\\n+Action Input:(?=\\s*\\{)` }),
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
    read: () => PYTHON,
  },
  {
    name: "[name(…)]",
    start: new RegExp(`^\\s*(?:<\\|python_start\\|>)?\\[\\s*${NAME}\\(`, "g"),
    isUnmarked: true,
    read: () => PYTHON,
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

/** A quotation: code, also by four blanks after an empty line, comments, and lines that begin with `>`. */
const CODE =
  /(```|~~~)[^]*?(?:\1|(?![^]))|`[^`\n]*`|^[ \t]*>.*$|<!--[^]*?(?:-->|(?![^]))|(?<=\n[ \t]*\n)(?: {4}| {0,3}\t).*(?:\n(?: {4}| {0,3}\t).*)*/gm;
/** What a template may have before a call on its line: the end of another message. */
const TEMPLATE_TOKEN = /^[ \t]*(?:<\|.*\|>|<\/?s>)/;
/** Before the action of ReAct: nothing, or a thought that no sentence introduces as an example. */
const BEFORE_ACTION = /^\s*$|(?:^|[^:\s]\s*\n\s*)Thought:[^]*$/;
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
            ? doubt(form, text.slice(0, at))
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

/** Returns why the text before a complete call makes it doubtful that the call is meant. */
function doubt({ name }: Form, before: string): string | undefined {
  const line = before.slice(before.lastIndexOf("\n") + 1).replace(TEMPLATE_TOKEN, "");
  if (line.trim() !== "") return "it begins in the middle of a line, where it may be an example";
  if (name !== REACT || BEFORE_ACTION.test(before)) return undefined;
  return "it may be an example, because no `Thought:` of its own is before it";
}

/** Returns the form of a call that only stands in code, in a comment or in a quotation. */
export function quotedForm(text: string): string | undefined {
  const plain = withoutCode(text);
  const unmarked = text.replaceAll(/^[ \t>]+/gm, "");
  for (const { name, start, isUnmarked } of FORMS) {
    if (name === "" || isUnmarked || name === "tool_code") continue;
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
