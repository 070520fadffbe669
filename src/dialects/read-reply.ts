// Reads a model's reply: detects its API, and reads the calls in it.
import type { Json } from "../schema/json.ts";
import type { ApiDialect, DialectName, ReplyJson } from "./dialect.ts";
import { apiNames, loadDialect } from "./dialects.ts";
import type { ModelCall } from "./model-call.ts";
import { callInOtherForm } from "./other-forms.ts";
import { readReplyJson } from "./reply-json.ts";
import { parseTextCalls } from "./text.ts";

export interface ReadReply {
  readonly dialect: DialectName;
  readonly calls: readonly ModelCall[];
  /** A note to the sender about text that looks like a call. */
  readonly note?: string;
  /** Whether no call of the text could be read. The answers say why. */
  readonly isUnread?: true;
}

export type ReplyRead = ReadReply | { readonly problem: string; readonly help: string };

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
  const other = callInOtherForm(reply);
  const all = other ? [...calls, other] : calls;
  const isUnread = all.length > 0 && all.every(({ kind }) => kind === "faulty");
  return { dialect: "text", calls: all, ...(isUnread ? { isUnread } : {}), ...quotedNote(quoted) };
}

function quotedNote(quoted: number): { readonly note?: string } {
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
