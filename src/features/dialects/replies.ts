// The calls in a model's reply, for programs that talk to a model's API themselves.
import { type DialectName, dialectNames } from "./dialect.ts";
import type { ModelCall } from "./model-call.ts";
import { readReply as readReplyText } from "./read-reply.ts";
import { valueText } from "../../core/schema/describe.ts";

export interface Reply {
  readonly api: DialectName;
  /** In the order of the reply. Empty if the model calls no tool. */
  readonly calls: readonly ModelCall[];
}

/**
 * Reads a response body, its message, a list of calls, a whole stream or a text with `<tool>` in it, and finds out the
 * API unless `api` names it. Throws an error that says what is wrong if it cannot be read as a reply.
 */
export async function readReply(body: unknown, api?: DialectName): Promise<Reply> {
  const isData = typeof body === "object" && body !== null;
  if (typeof body !== "string" && !isData)
    throw new TypeError(`\`readReply\` expects the body of a response, as text or parsed, got ${valueText(body)}`);
  if (api !== undefined && !dialectNames.includes(api))
    throw new TypeError(`\`readReply\` knows the APIs ${dialectNames.join(", ")}; got ${valueText(api)}`);
  const read = await readReplyText(isData ? JSON.stringify(body) : body, api ?? "auto");
  // Help about an option is for the command line.
  if ("problem" in read) throw new Error(read.help.includes("--") ? read.problem : `${read.problem}; ${read.help}`);
  return { api: read.dialect, calls: read.calls };
}
