// What the HTTP APIs of models share: one request, an answer as a whole or a stream of events, and errors that say what
// to do.
import { Buffer } from "node:buffer";
import { type Json, type JsonObject, isJsonObject } from "../../core/schema/json.ts";
import { failed } from "../../core/tool/base-tool.ts";
import type { Outcome } from "../../core/tool/call.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { WebHead } from "../../core/tool/host.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import { AnswerText, type ModelQuestion, type Stop, answered, broken } from "./model-answer.ts";
import { type ApiError, type AskedApi, apiFailure, nextAttempt } from "./model-api-error.ts";
import { type ModelKey, keyOf } from "./model-key.ts";
import type { ApiProvider } from "./model-settings.ts";
import { type WebResponse, webFailure } from "../web/web-failure.ts";

/** The encoding of requests and answers for one API. Pure. */
export interface ModelApi {
  endpoint(url: string): string;
  headers(key: string | undefined, provider: ApiProvider): Readonly<Record<string, string>>;
  body(asked: AskedApi): JsonObject;
  /** Returns the limit of tokens that is sent. If absent, none is. */
  maxTokens(asked: AskedApi): number | undefined;
  /** Reads a whole answer. */
  whole(body: Json): ApiPiece;
  /** Reads an event whose data is JSON. */
  event(data: Json): ApiPiece;
}

export interface ApiPiece {
  readonly text?: string;
  readonly refusal?: string;
  readonly stop?: Stop;
  readonly error?: ApiError;
  /** Whether this is the last event. */
  readonly isEnd?: boolean;
}

const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
/** Two more tries, as in the SDKs of both APIs. */
const ATTEMPTS_MAX = 3;
/** The text with which older OpenAI-compatible servers end a stream. */
const DONE = "[DONE]";

export async function askModelApi(
  api: ModelApi,
  question: ModelQuestion,
  { provider, context }: { readonly provider: ApiProvider; readonly context: ToolContext },
): Promise<Outcome> {
  const name = question.provider;
  const model = question.model ?? provider.model;
  if (model === undefined)
    return failed({
      kind: "rejected",
      reason: `\`${name}\` has no model`,
      help: [`pass \`model\`, or write \`model: NAME\` for \`${name}\` in \`${question.configPath}\``],
    });
  const key = await keyOf(provider.key, question, context);
  if (key.kind === "failed") return key.outcome;
  const asked: AskedApi = { question, provider, model };
  for (let attempt = 1; ; attempt++) {
    const round = new Round(api, context);
    const failure = await round.ask(asked, key);
    if (failure === undefined) {
      const maxTokens = api.maxTokens(asked);
      return answered(
        round.answer,
        { stop: round.stop, ...(maxTokens === undefined ? {} : { maxTokens }), refusal: round.refusal },
        question,
      );
    }
    // What a person has read is not taken back.
    const next =
      round.answer.isEmpty && round.error
        ? nextAttempt(round.error, { attempt, attemptsMax: ATTEMPTS_MAX, name, now: context.host.timestamp() })
        : undefined;
    if (!next) return broken(round.answer, failure);
    await context.emit({ kind: "progress", text: next.note });
    await context.host.sleep(next.delayMs, context.signal);
    if (context.signal.aborted) return failed({ kind: "cancelled" });
  }
}

/** One attempt. */
class Round {
  readonly answer: AnswerText;
  refusal = "";
  error: ApiError | undefined;
  #stop: Stop = "done";
  readonly #api: ModelApi;
  readonly #context: ToolContext;
  readonly #events = new EventStream();
  #hasEnded = false;
  #isMalformed = false;

  constructor(api: ModelApi, context: ToolContext) {
    this.#api = api;
    this.#context = context;
    this.answer = new AnswerText(context);
  }

  get stop(): Stop {
    return this.refusal === "" ? this.#stop : "refused";
  }

  /** Asks the model. Returns a failure, or undefined if there is an answer. */
  async ask(asked: AskedApi, key: ModelKey): Promise<Failure | undefined> {
    const { provider } = asked;
    const endpoint = this.#api.endpoint(provider.url);
    const { hostname, port, protocol } = new URL(endpoint);
    const result = await this.#context.host.web.fetch({
      url: endpoint,
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: provider.streams ? "text/event-stream, application/json" : "application/json",
        ...this.#api.headers(key.value, provider),
      },
      body: JSON.stringify(this.#api.body(asked)),
      signal: this.#context.signal,
      bytesMax: ANSWER_BYTES_MAX,
      timeoutMs: this.#context.limits.timeoutMs,
      // Redirects are not followed: the key must not reach another host.
      redirectsMax: 0,
      // The user's own configuration names it, so it may be in a private network.
      allowedHosts: [`${hostname}:${port === "" ? (protocol === "https:" ? 443 : 80) : port}`],
      onBody: (bytes, head) => (isEventStream(head) ? this.#takeEvents(bytes) : undefined),
    });
    const { provider: name, configPath } = asked.question;
    const placeHelp = `check \`url\` and \`kind\` of \`${name}\` in \`${configPath}\``;
    if (result.kind === "unreachable" && result.isLost) this.error = { lost: "connection" };
    if (result.kind !== "response") {
      const failure = webFailure(result, endpoint);
      return failure.kind === "network" && failure.help.length === 0 ? { ...failure, help: [placeHelp] } : failure;
    }
    if (result.status === 200 && !isEventStream(result)) await this.#takeWhole(result);
    if (result.status !== 200)
      this.error = {
        status: result.status,
        headers: result.headers,
        ...(this.#api.whole(parsed(result.body) ?? null).error ?? {}),
      };
    if (this.error) return apiFailure(this.error, asked, { endpoint, key });
    if (result.isCut)
      return { kind: "limit", limit: ANSWER_BYTES_MAX, unit: "bytes of answer", help: ["ask for less"] };
    const trouble = (reason: string, help: string): Failure => ({
      kind: "network",
      url: endpoint,
      reason,
      help: [help],
    });
    if (this.#isMalformed)
      return trouble(`\`${name}\` does not answer like an API of kind \`${provider.kind}\``, placeHelp);
    if (this.#hasEnded) return undefined;
    this.error = { lost: "answer" };
    return trouble("the answer ends in the middle", "try again later");
  }

  async #takeWhole({ body }: WebResponse): Promise<void> {
    const json = parsed(body);
    if (isJsonObject(json)) await this.#take(this.#api.whole(json));
    else this.#isMalformed = true;
    if (!this.#hasEnded && this.error === undefined) this.#isMalformed = true;
  }

  async #takeEvents(bytes: Uint8Array): Promise<void> {
    for (const event of this.#events.next(bytes))
      if (!this.#isMalformed && this.error === undefined) await this.#takeEvent(event);
  }

  async #takeEvent({ data }: ServerSentEvent): Promise<void> {
    if (data.trim() === DONE) return void (this.#hasEnded = true);
    const json = jsonOf(data);
    if (isJsonObject(json)) await this.#take(this.#api.event(json));
    else this.#isMalformed = true;
  }

  async #take({ text, refusal, stop, error, isEnd }: ApiPiece): Promise<void> {
    if (error) this.error = error;
    if (stop) this.#stop = stop;
    // A reason to stop is the end of the text, because some servers send no other.
    if (isEnd === true || stop) this.#hasEnded = true;
    this.refusal += refusal ?? "";
    if (text !== undefined && text !== "") await this.answer.add(text);
  }
}

function isEventStream({ status, headers }: WebHead): boolean {
  return status === 200 && /^text\/event-stream\b/i.test((headers["content-type"] ?? "").trim());
}

function parsed(body: Uint8Array): Json | undefined {
  return jsonOf(Buffer.from(body).toString("utf8"));
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

// A stream of server-sent events, from bytes as they come. Format: html.spec.whatwg.org, "Server-sent events", "Parsing
// an event stream".

export interface ServerSentEvent {
  /** `message` if the stream names none. */
  readonly name: string;
  readonly data: string;
}

export class EventStream {
  // Removes a byte order mark, and joins a character that was split.
  readonly #decoder = new TextDecoder("utf-8");
  #line: string[] = [];
  #isAfterReturn = false;
  #name = "";
  #data: string[] = [];

  /** Returns the events that end in these bytes. One that is incomplete at the end of the stream does not count. */
  next(bytes: Uint8Array): readonly ServerSentEvent[] {
    let text = this.#decoder.decode(bytes, { stream: true });
    if (text === "") return [];
    if (this.#isAfterReturn && text.startsWith("\n")) text = text.slice(1);
    this.#isAfterReturn = text.endsWith("\r");
    const [first = "", ...rest] = text.split(/\r\n|\r|\n/);
    this.#line.push(first);
    return rest.flatMap((start) => {
      const line = this.#line.join("");
      this.#line = [start];
      return this.#take(line) ?? [];
    });
  }

  #take(line: string): ServerSentEvent | undefined {
    if (line === "") return this.#end();
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#name = value;
    if (field === "data") this.#data.push(value);
    return undefined;
  }

  #end(): ServerSentEvent | undefined {
    const event =
      this.#data.length === 0
        ? undefined
        : { name: this.#name === "" ? "message" : this.#name, data: this.#data.join("\n") };
    this.#name = "";
    this.#data = [];
    return event;
  }
}
