// Reads a reply as data: one JSON value, lines of JSON, or the events of a stream (server-sent events; Ollama streams
// lines).
import type { Json } from "../schema/json.ts";
import type { ReplyJson } from "./dialect.ts";
import { faultText, type FaultWithin, readJson } from "./strict-json.ts";

export type ReplyText = { readonly reply: ReplyJson } | { readonly problem: string };

/** `[Note]` and `{name}` are text. */
const JSON_START = /^(?:\{\s*(?:["'}]|$)|\[\s*(?:["'{[\]\d-]|$))/;
const EVENT_LINE = /^(?:data|event|id|retry)?:/;
/** The limit of values; each becomes several objects. */
const VALUES_MAX = 500_000;

/** Returns undefined if it does not begin like JSON or a stream, so it is text. */
export function readReplyJson(text: string): ReplyText | undefined {
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
