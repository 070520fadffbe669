// The calls that a model wrote into the text of its reply, as parts beside that text.
import type { ModelCall } from "../dialects/model-call.ts";
import { typedArguments } from "../dialects/text-arguments.ts";
import { callInOtherForm } from "../dialects/other-forms.ts";
import { parseTextCalls } from "../dialects/text.ts";
import { TextReader } from "../dialects/text-reader.ts";
import { type CallPart, type ReplyEntry, textOfReply } from "./entry.ts";
import type { Offered } from "./offered.ts";

export function withTextCalls(reply: ReplyEntry, offered: Offered): ReplyEntry {
  const read = parseTextCalls(textOfReply(reply));
  const other = callInOtherForm(read);
  const calls = other ? [...read.calls, other] : read.calls;
  return { ...reply, parts: [...reply.parts, ...calls.map((call, index) => partOf(call, index, offered))] };
}

/** Returns the text of such a reply without thoughts, and how many `<tool>` it quotes. */
export function wordsOf(reply: ReplyEntry): { readonly text: string; readonly quoted: number } {
  const { text, quoted } = parseTextCalls(textOfReply(reply));
  return { text, quoted };
}

function partOf(call: ModelCall, index: number, offered: Offered): CallPart {
  const head = { type: "call", id: `call_${index + 1}`, name: call.name ?? "", isText: true } as const;
  if (call.kind === "faulty") return { ...head, arguments: "{}", problem: call.problem };
  // In XML everything is text, until the parameters of the tool say what it is.
  const typed = call.elements
    ? typedArguments(call.elements, offered.find({ name: call.name, isText: true })?.parameters ?? [])
    : { arguments: call.arguments };
  return "problem" in typed
    ? { ...head, arguments: "{}", problem: typed.problem }
    : { ...head, arguments: JSON.stringify(typed.arguments) };
}

/** Passes on such a reply as it comes, without its calls, for a person to read. */
export function withoutCalls(onText: (text: string) => void | Promise<void>): {
  push(text: string): Promise<void>;
  end(): Promise<void>;
} {
  const reader = new TextReader();
  const hand = async (pieces: ReturnType<TextReader["push"]>): Promise<void> => {
    for (const piece of pieces) if (piece.kind === "text") await onText(piece.text);
  };
  return { push: (text) => hand(reader.push(text)), end: () => hand(reader.end()) };
}
