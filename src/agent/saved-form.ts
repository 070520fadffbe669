// A conversation as it is stored: without the keys of the model's API, and without secret arguments of tools.
import { argumentsOf } from "../dialects/text-call.ts";
import { secretMasks } from "../run/secret-masks.ts";
import type { Session } from "../run/session.ts";
import { maskedArguments } from "../schema/secrets.ts";
import { callsOf, type CallPart, type Entry, type ReplyEntry } from "./entry.ts";
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
      return savedReply(entry, options);
    case "end":
      return entry;
  }
}

/** The text may repeat the content of a call, and in the text form it contains the calls. */
async function savedReply(reply: ReplyEntry, { session, offered, mask }: SavedFormOptions): Promise<ReplyEntry> {
  let maskText = mask;
  const calls = new Map<CallPart, string>();
  for (const part of callsOf(reply)) {
    const read = argumentsOf(part.arguments);
    const tool = offered.find(part);
    const masks = tool && "arguments" in read ? await secretMasks(tool, [read.arguments], session.host) : undefined;
    if (!tool || !masks || "problem" in read) continue;
    const before = maskText;
    maskText = (text) => masks.text(before(text));
    calls.set(part, JSON.stringify(maskedArguments(read.arguments, tool.parameters)));
  }
  const parts = reply.parts.map((part) =>
    part.type === "call"
      ? { ...part, arguments: maskText(calls.get(part) ?? part.arguments) }
      : { ...part, text: maskText(part.text) },
  );
  return { ...reply, parts };
}
