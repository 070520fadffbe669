// Readers for the forms of calls: JSON between marks, values between tags, and elements of XML.
import { isJsonObject, type Json } from "../../core/schema/json.ts";
import type { SoundCall } from "./model-call.ts";
import { faultText, readJson } from "./strict-json.ts";
import { argumentsOf } from "./text-call.ts";
import { readXmlBody, type XmlElement } from "./xml-body.ts";

export type Read = { readonly calls: readonly SoundCall[]; readonly end: number } | { readonly problem: string };

export interface Form {
  /** Empty if it is known only by its first tag. */
  readonly name: string;
  /** Finds where the calls begin. */
  readonly start: RegExp;
  /** Reads all calls from there on. */
  read(text: string, at: number): Read;
  /** Set if only the name of a tool, the first group of `start`, tells it from other text. */
  readonly isUnmarked?: true;
}

export const NOT_QUOTED = "(?<![\"'\\u2018-\\u201e\\u00ab\\u00bb\\u2039\\u203a])";

/** `open` may have the name of the tool; otherwise it is in the JSON. */
export function jsonForm(name: string, { open, close = "" }: { readonly open: string; readonly close?: string }): Form {
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
export function tagForm(name: string, { open, parameter, end, close }: Tags): Form {
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
export function elementCall(text: string, at: number): Read {
  const name = /^<([^>]*)>/.exec(text.slice(at))?.[1] ?? "";
  const [open, close] = [`<${name}>`, `</${name}>`];
  const end = text.lastIndexOf(close);
  if (end === -1) return { problem: `\`${close}\` is missing` };
  const { elements, problem } = readXmlBody(text.slice(at + open.length, end));
  if (problem !== undefined) return { problem };
  return { calls: [{ kind: "sound", name, arguments: {}, elements }], end: end + close.length };
}
