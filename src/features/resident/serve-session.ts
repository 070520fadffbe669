// A session of an MCP client that a launcher hands to the resident process. It answers what there is: tools, prompts,
// resources. The first message that asks for more makes the executable go on with the session, which knows what has been
// said until then. So nothing runs here, and no session has a secret, an approval, a root or a question in this process.
import { Buffer } from "node:buffer";
import type { ServedCall } from "./host/call-host.ts";
import { serveLines } from "../mcp-server/serve-lines.ts";
import { isJsonObject, type JsonObject } from "../../core/schema/json.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import { readCommandWords } from "../../cli/words/command-words.ts";
import type { GlobalOptions } from "../../cli/words/global-options.ts";
import { joinOffer, type OfferMember, type SharedOffer } from "./shared-offer.ts";

/** Requests that only ask what there is. */
const questions: ReadonlySet<string> = new Set([
  "initialize",
  "ping",
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
]);
/** Messages without an answer that change nothing but what is known of the client. */
const notes: ReadonlySet<string> = new Set(["notifications/initialized", "notifications/roots/list_changed"]);

const LINE_END = 10;

/** Returns false if the executable must make the session from its start. */
export async function serveSession(
  call: ServedCall,
  words: readonly string[],
  options: GlobalOptions,
): Promise<boolean> {
  const { mcpCommand: command } = await import("../mcp-server/commands/mcp.ts");
  const read = command.kind === "words" ? readCommandWords("mcp", command, words) : "help";
  const own = ["mode", "only", "except", "bundled"];
  if (read === "help" || "problem" in read || call.facts.hasInputTerminal) return false;
  const { input } = read;
  if (input.words.length > 0 || command.options.some(({ name }) => !own.includes(name) && input.has(name)))
    return false;
  const session = new LaunchedSession(call);
  const offer = await joinOffer({ facts: call.facts, words, options, input }, session);
  if (!offer) return false;
  try {
    await session.serve(offer);
  } finally {
    offer.leave(session);
  }
  return true;
}

class LaunchedSession implements OfferMember {
  readonly #call: ServedCall;
  readonly #ended = new AbortController();
  #isBegun = false;
  #pending: Buffer = Buffer.alloc(0);
  #work: Promise<void> = Promise.resolve();
  #tell: (text: string) => void = () => undefined;
  /** The request that is being answered. */
  #asked: { readonly id: unknown; answer(text: string): void } | undefined;

  constructor(call: ServedCall) {
    this.#call = call;
  }

  onLost(): void {
    if (this.#isBegun) this.#handOver();
  }

  /** What comes earlier is among the errors of the offer, or the next session's to hear. */
  onErrors(text: string): void {
    if (this.#isBegun && !this.#ended.signal.aborted) this.#call.link.send("e", Buffer.from(text));
  }

  /** Resolves when the session has ended, or the executable goes on with it. */
  async serve({ service, host, errors }: SharedOffer): Promise<void> {
    const { link, ending } = this.#call;
    link.commit();
    link.onInput = (bytes) => this.#hear(bytes);
    link.onGone = () => this.#ended.abort();
    const onEnding = (): void => this.#handOver();
    ending.addEventListener("abort", onEnding);
    // Not with the option `signal`, of which Node forgets all but one: each session would stay in memory.
    this.#ended.signal.addEventListener("abort", () => ending.removeEventListener("abort", onEnding), { once: true });
    link.send("m", Buffer.alloc(0));
    this.#isBegun = true;
    for (const text of errors) this.onErrors(text);
    if (ending.aborted) this.#handOver();
    await serveLines(service, {
      host,
      lines: { listen: (onText) => void (this.#tell = onText), write: (text) => this.#write(text) },
      afterTurn: (work) => queueMicrotask(work),
      signal: this.#ended.signal,
    });
  }

  #handOver(): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    this.#call.link.send("h", Buffer.alloc(0));
  }

  #hear(bytes: Buffer | undefined): void {
    if (!bytes) {
      this.#then(async () => {
        if (this.#pending.length > 0) return this.#handOver();
        this.#ended.abort();
        this.#call.link.send("x", Buffer.from([exitCodes.done, 0]));
      });
      return;
    }
    this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    for (let end = this.#pending.indexOf(LINE_END); end !== -1; end = this.#pending.indexOf(LINE_END)) {
      const line = this.#pending.subarray(0, end + 1);
      this.#pending = this.#pending.subarray(end + 1);
      this.#then(() => this.#take(line));
    }
  }

  /** One message after the other, so that the launcher knows which of them are answered. */
  #then(work: () => Promise<void>): void {
    this.#work = this.#work.then(() => (this.#ended.signal.aborted ? undefined : work())).catch(() => this.#handOver());
  }

  async #take(line: Buffer): Promise<void> {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
    const message: unknown = JSON.parse(text);
    if (!isJsonObject(message) || typeof message["method"] !== "string") return this.#handOver();
    const { id, method } = message;
    if (id === undefined) {
      if (!notes.has(method)) return this.#handOver();
      this.#tell(text);
      return this.#answer("", line.length, true);
    }
    if (!questions.has(method)) return this.#handOver();
    const answered = Promise.withResolvers<string>();
    this.#asked = { id, answer: answered.resolve };
    this.#tell(text);
    this.#answer(await answered.promise, line.length, method === "initialize");
  }

  #write(text: string): void {
    for (const line of text.split(/(?<=\n)/)) this.#writeLine(line);
  }

  #writeLine(text: string): void {
    const message = JSON.parse(text) as JsonObject;
    if (!("method" in message)) {
      // An error is the executable's to tell.
      const asked = this.#asked;
      if (asked?.id !== message["id"] || !("result" in message)) return this.#handOver();
      return asked?.answer(text);
    }
    // Its answer would be the executable's to hear.
    if ("id" in message) return this.#handOver();
    this.#answer(text, 0, false);
  }

  #answer(text: string, inputBytes: number, isKept: boolean): void {
    if (this.#ended.signal.aborted) return;
    const head = Buffer.alloc(5);
    head.writeUInt32LE(inputBytes);
    head[4] = isKept ? 1 : 0;
    this.#call.link.send("a", Buffer.concat([head, Buffer.from(text)]));
  }
}
