// Reads a model's reply: detects its API, and reads the calls in it.
import type { Json } from "../../core/schema/json.ts";
import type { ApiDialect, DialectName, ReplyJson } from "./dialect.ts";
import { apiNames, loadDialect } from "./dialects.ts";
import type { ModelCall } from "./model-call.ts";
import { callsInForms, quotedForm } from "./call-forms.ts";
import { parseTextCalls } from "./text-reader.ts";
import { faultText, type FaultWithin, readJson } from "./strict-json.ts";

interface ReadReply {
  readonly dialect: DialectName;
  readonly calls: readonly ModelCall[];
  /** A note to the sender about text that looks like a call. */
  readonly note?: string;
  /** Whether no call of the text could be read. The answers say why. */
  readonly isUnread?: true;
}

type ReplyRead = ReadReply | { readonly problem: string; readonly help: string };

/** `wanted` is the dialect to read; `auto` detects it. */
export async function readReply(text: string, wanted: DialectName | "auto"): Promise<ReplyRead> {
  if (text.trim() === "") return { problem: "the reply is empty", help: "pipe the reply to standard input" };
  if (wanted === "text") return readText(text);
  const read = readReplyJson(text);
  if (wanted === "auto" && (!read || ("problem" in read && text.includes("<tool>")))) return readText(text);
  if (!read)
    return {
      problem: `a reply of \`${wanted}\` is JSON or a stream of events, but this begins ${startOf(text)}`,
      help: "`--dialect auto` detects it",
    };
  if ("problem" in read) return { problem: read.problem, help: "nothing was run; send the reply as the API gave it" };
  const dialect = wanted === "auto" ? await recognised(read.reply) : await loadDialect[wanted]();
  if (!dialect)
    return {
      problem: `the reply is JSON, but not of a known API: ${shapeOf(read.reply.values[0])}`,
      help: `pass a response body, a message, an array of calls or a stream of ${apiNames.join(", ")}; or text with \`<tool>\``,
    };
  const found = dialect.calls(read.reply);
  if (!found) {
    const other = await recognised(read.reply);
    return {
      problem: `this is not a reply of \`${dialect.name}\`: ${shapeOf(read.reply.values[0])}`,
      help: other ? `it looks like \`${other.name}\`` : "`--dialect auto` detects it",
    };
  }
  if ("problem" in found) return { problem: found.problem, help: "nothing was run" };
  const stray = read.reply.strayFault(found.calls.flatMap((call) => (call.kind === "sound" ? [call.arguments] : [])));
  if (stray !== undefined && found.calls.every(({ kind }) => kind === "sound"))
    return { problem: `the JSON of the reply cannot be used: ${stray}`, help: "nothing was run" };
  const note =
    found.calls.length === 0 && text.includes("<tool>")
      ? {
          note: "the reply has `<tool>` in it, but no call of its API; if the model writes calls in its text, pass only that text",
        }
      : {};
  return { dialect: dialect.name, calls: found.calls, ...note };
}

function readText(text: string): ReplyRead {
  const reply = parseTextCalls(text);
  const { calls, quoted } = reply;
  const all = [...calls, ...(callsInForms(reply)?.calls ?? [])];
  const form = quoted === 0 ? quotedForm(reply.text) : undefined;
  const isUnread = all.length > 0 && all.every(({ kind }) => kind === "faulty");
  return { dialect: "text", calls: all, ...(isUnread ? { isUnread } : {}), ...quotedNote(quoted, form) };
}

function quotedNote(quoted: number, form: string | undefined): { readonly note?: string } {
  if (form !== undefined)
    return { note: `a call in the form \`${form}\` is in code, in a comment or in a quotation, and was not run` };
  return quoted === 0
    ? {}
    : {
        note: `${quoted === 1 ? "a `<tool>` is" : `${quoted} \`<tool>\` are`} in code, in a quotation or in a thought, and ${quoted === 1 ? "was" : "were"} not run`,
      };
}

async function recognised(reply: ReplyJson): Promise<ApiDialect | undefined> {
  for (const name of apiNames) {
    const dialect = await loadDialect[name]();
    if (dialect.recognises(reply)) return dialect;
  }
  return undefined;
}

function shapeOf(value: Json | undefined): string {
  if (Array.isArray(value))
    return value.length === 0
      ? "an empty array"
      : `an array of ${value.length}, the first ${shapeOf(value[0] as Json)}`;
  if (typeof value !== "object" || value === null) return `the value ${JSON.stringify(value)}`;
  const keys = Object.keys(value);
  return keys.length === 0
    ? "an empty object"
    : `an object with ${keys
        .slice(0, 5)
        .map((key) => `\`${key.slice(0, 30)}\``)
        .join(", ")}${keys.length > 5 ? " …" : ""}`;
}

function startOf(text: string): string {
  return `\`${text.trim().slice(0, 20).toWellFormed().replaceAll(/\s+/g, " ")}\``;
}

type ReplyText = { readonly reply: ReplyJson } | { readonly problem: string };

/** `[Note]` and `{name}` are text. */
const JSON_START = /^(?:\{\s*(?:["'}]|$)|\[\s*(?:["'{[\]\d-]|$))/;
const EVENT_LINE = /^(?:data|event|id|retry)?:/;
/** The limit of values; each becomes several objects. */
const VALUES_MAX = 500_000;

/** Returns undefined if it does not begin like JSON or a stream, so it is text. */
function readReplyJson(text: string): ReplyText | undefined {
  const start = text.search(/[^\s\ufeff]/);
  if (start === -1) return undefined;
  if (EVENT_LINE.test(text.slice(start, start + 10))) return readEvents(text.slice(start));
  return JSON_START.test(text.slice(start, start + 1_000)) ? readValues(text, start) : undefined;
}

class Reading {
  readonly values: Json[] = [];
  readonly #faulty = new Map<object, FaultWithin & { readonly text: string }>();

  /** Returns the end of the value, or its fault. */
  read(text: string, start: number): { readonly end: number } | { readonly problem: string; readonly isCut: boolean } {
    const { value, end, faults, faulty } = readJson(text, start);
    if (value === undefined) {
      const fault = faults.at(-1);
      return { problem: fault ? faultText(text, fault) : "it is empty", isCut: fault?.isCut ?? false };
    }
    this.values.push(value);
    for (const [part, within] of faulty) this.#faulty.set(part, { ...within, text: faultText(text, within.fault) });
    return { end };
  }

  reply(isStream: boolean): ReplyText {
    const faulty = this.#faulty;
    return {
      reply: {
        values: this.values,
        isStream,
        faultIn: (part) => (typeof part === "object" && part !== null ? faulty.get(part)?.text : undefined),
        strayFault: (allowed) => strayFault(faulty, allowed),
      },
    };
  }
}

/** Returns a fault that is in none of these values. */
function strayFault(
  faulty: ReadonlyMap<object, FaultWithin & { readonly text: string }>,
  allowed: readonly Json[],
): string | undefined {
  if (faulty.size === 0) return undefined;
  const inside = new Set<object>();
  const visit = (part: Json): void => {
    if (typeof part !== "object" || part === null) return;
    inside.add(part);
    for (const inner of Object.values(part)) visit(inner as Json);
  };
  for (const part of allowed) visit(part);
  return [...faulty].find(([part, { isOwn }]) => isOwn && !inside.has(part))?.[1].text;
}

function readValues(text: string, start: number): ReplyText {
  const reading = new Reading();
  let at = start;
  while (at !== -1) {
    if (reading.values.length >= VALUES_MAX) return { problem: `there are more than ${VALUES_MAX} values` };
    const read = reading.read(text, at);
    // The last line was cut off.
    if ("problem" in read && read.isCut && reading.values.length > 0) return reading.reply(true);
    if ("problem" in read) return { problem: `the reply is not JSON: ${read.problem}` };
    const next = text.slice(read.end, read.end + 1_000).search(/\S/);
    if (next === -1) break;
    at = read.end + next;
    if (text[at] !== "{" || !text.slice(read.end, at).includes("\n"))
      return { problem: `unexpected text after the JSON of the reply: \`${text.slice(at, at + 20).toWellFormed()}\`` };
  }
  return reading.reply(reading.values.length > 1);
}

/**
 * https://html.spec.whatwg.org/multipage/server-sent-events.html: the data of an event are its `data:` lines; a blank
 * line ends it.
 */
function readEvents(text: string): ReplyText {
  const reading = new Reading();
  const events = text.split(/\r?\n\r?\n|\r\r/);
  for (const [index, event] of events.entries()) {
    const data = event
      .split(/\r?\n|\r/)
      .flatMap((line) => (line.startsWith("data:") ? [line.slice("data:".length).replace(/^ /, "")] : []))
      .join("\n");
    if (data.trim() === "" || data === "[DONE]") continue;
    if (reading.values.length >= VALUES_MAX) return { problem: `there are more than ${VALUES_MAX} events` };
    const read = reading.read(data, 0);
    // The stream was cut off within its last event, which is ignored.
    if ("problem" in read && read.isCut && index === events.length - 1) break;
    if ("problem" in read) return { problem: `event ${index + 1} of the stream is not JSON: ${read.problem}` };
    if (data.slice(read.end).trim() !== "")
      return { problem: `event ${index + 1} of the stream has unexpected text after its JSON` };
  }
  return reading.values.length === 0 ? { problem: "the stream has no events" } : reading.reply(true);
}
