// The entries of a conversation: the same data in memory, in its file and, translated, in the requests to a model.
import type { CallPart as ReadCall, Stop, TextPart, Tokens } from "../models/read-reply.ts";

export type Entry = BeginEntry | UserEntry | ReplyEntry | ResultEntry | EndEntry;

export interface BeginEntry {
  readonly kind: "begin";
  /** The version of this format. */
  readonly version: 1;
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  /** Absolute: where the calls run. */
  readonly cwd: string;
  /** The defaults for continuing: `PROVIDER/MODEL`, the named tools, and the system prompt. */
  readonly model: string;
  readonly only: readonly string[];
  /** Set if tools that come with dottool are offered beside one's own. */
  readonly isBundled?: true;
  readonly system: string;
}

/** A message of the person, or of the loop itself. */
interface UserEntry {
  readonly kind: "user";
  readonly text: string;
}

export interface ReplyEntry {
  readonly kind: "reply";
  /** `PROVIDER/MODEL`. */
  readonly model: string;
  readonly parts: readonly ReplyPart[];
  readonly stop: ReplyStop;
  /** Absent if the API does not report them. */
  readonly tokens?: Tokens;
}

export type ReplyPart = TextPart | CallPart;

export interface CallPart extends ReadCall {
  /** Whether it is in the text of the reply, and is answered in text. */
  readonly isText?: true;
  /** Why the entry cannot be read. */
  readonly problem?: string;
}

/** `cut`: cut off at a token limit, so that nothing in it may run. `full`: the model's context is full. */
type ReplyStop = Exclude<Stop, "unfinished">;

export interface ResultEntry {
  readonly kind: "result";
  /** The id of the call that it answers. */
  readonly id: string;
  /** The name as the model wrote it. */
  readonly name: string;
  readonly text: string;
  /** The images that the text names. */
  readonly images?: readonly ResultImage[];
  readonly isFailed?: true;
}

interface ResultImage {
  readonly mediaType: string;
  readonly base64: string;
}

/**
 * The end of a loop that ended by itself. A conversation that was killed or reached a limit does not have this entry.
 */
export interface EndEntry {
  readonly kind: "end";
  readonly how: "completed" | "message" | "question";
}

export function callsOf(reply: ReplyEntry): readonly CallPart[] {
  return reply.parts.filter((part) => part.type === "call");
}

export function textOfReply(reply: ReplyEntry): string {
  return reply.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}
