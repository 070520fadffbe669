// A conversation as it is kept: without the keys of the model's API, and without the arguments that a tool calls secret.
import { argumentsOf } from "../dialects/text-call.ts";
import { shownCall } from "../run/call-tool.ts";
import type { Session } from "../run/session.ts";
import type { Entry, ReplyPart } from "./entry.ts";
import type { Offered } from "./offered.ts";

export interface SavedFormOptions {
  readonly session: Session;
  readonly offered: Offered;
  readonly mask: (text: string) => string;
}

export async function savedForm(entry: Entry, options: SavedFormOptions): Promise<Entry> {
  const { mask } = options;
  switch (entry.kind) {
    case "begin":
      return { ...entry, system: mask(entry.system) };
    case "user":
    case "result":
      return { ...entry, text: mask(entry.text) };
    case "reply":
      return { ...entry, parts: await Promise.all(entry.parts.map((part) => savedPart(part, options))) };
    case "end":
      return entry;
  }
}

async function savedPart(part: ReplyPart, { session, offered, mask }: SavedFormOptions): Promise<ReplyPart> {
  if (part.type !== "call") return { ...part, text: mask(part.text) };
  const read = argumentsOf(part.arguments);
  const tool = offered.find(part.name);
  if (!tool || "problem" in read) return { ...part, arguments: mask(part.arguments) };
  const before = { id: part.id, tool: tool.definition.name.value, arguments: read.arguments };
  const shown = await shownCall(before, session);
  return { ...part, arguments: mask(shown === before ? part.arguments : JSON.stringify(shown.arguments)) };
}
