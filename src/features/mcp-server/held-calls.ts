// The calls that wait for answers of their clients, each under the signed state that its client holds.
import { isJsonObject, type JsonObject } from "../../core/schema/json.ts";
import type { Host } from "../../core/tool/host.ts";
import { type CallState, type CallStates, STATE_SECONDS } from "./call-state.ts";
import type { ClientRequest } from "../../core/tool/tool.ts";
import type { OpenRequest } from "./open-request.ts";
import { errorCodes, faultOf, type InputRequests, invalidParams, ProtocolError } from "./protocol.ts";

interface HeldRequest {
  readonly request: OpenRequest;
  /** The method, the name and the arguments, which tell what an answer belongs to. */
  readonly about: readonly unknown[];
}

/** How a call that takes long goes on behind its request. */
export interface Leave<R> {
  readonly afterMs: number;
  /** Returns the answer to the request; undefined if the request has to wait for the result. */
  to(held: HeldCall<R>): Promise<JsonObject | undefined>;
}

/** Whom the work may ask, and what was answered before it began here. */
export interface Begun<R> {
  readonly held: HeldCall<R>;
  /** A hash of the tool that another server process asked about, before anything ran. */
  readonly askedContent?: string | undefined;
  /**
   * Says that the next question comes before anything runs of the tool with this content, so that any copy may begin
   * the call once it is answered. Undefined ends that.
   */
  asksFirst(content: string | undefined): void;
}

export interface HeldCalls {
  /** Returns the result, what the client is asked first, or that the call goes on behind its request. */
  run<R extends JsonObject>(
    request: HeldRequest,
    work: (begun: Begun<R>) => Promise<R>,
    leave?: Leave<R>,
  ): Promise<JsonObject>;
  /** Ends all of them. */
  abandonAll(): void;
}

/** A client of an earlier revision did not answer, so the call was given up. */
export class Unanswered extends ProtocolError {}

const WAITING_MAX = 1_000;
/** The limit of questions that one request may ask its client while it stays open. */
const ROUNDS_MAX = 100;

interface Entry<R> {
  readonly held: HeldCall<R>;
  /** The tool's content, while nothing else has been asked. */
  content: string | undefined;
}

interface Waiting {
  readonly entry: Entry<unknown>;
  readonly expiry: AbortController;
}

export function openHeldCalls(host: Host, states: CallStates): HeldCalls {
  const waiting = new Map<string, Waiting>();
  const resume = (state: CallState, request: string): Entry<unknown> | undefined => {
    if (state.request !== request)
      throw refused(
        "the `requestState` belongs to another call; send it with the name and arguments that it was issued for",
      );
    if (!states.use(state)) throw refused("the `requestState` was used already; call again without it");
    const found = waiting.get(state.call);
    waiting.delete(state.call);
    found?.expiry.abort();
    if (!found && state.content === undefined)
      throw refused(
        "the call that waited for this answer has ended, or waits in another server process; call again without `requestState`",
      );
    if (found) found.entry.content = undefined;
    return found?.entry;
  };
  const wait = (entry: Entry<unknown>): string => {
    const call = host.randomId();
    const expiry = new AbortController();
    waiting.set(call, { entry, expiry });
    void host.sleep(STATE_SECONDS * 1000, expiry.signal).then(() => {
      if (waiting.delete(call)) entry.held.abandon();
    });
    return call;
  };
  const inputRequired = (asks: InputRequests, entry: Entry<unknown>, request: string): JsonObject => {
    const { content } = entry;
    const requestState = states.mint({ call: wait(entry), request, ...(content === undefined ? {} : { content }) });
    return { resultType: "input_required", inputRequests: asks, requestState };
  };
  return {
    run: async <R extends JsonObject>(
      { request, about }: HeldRequest,
      work: (begun: Begun<R>) => Promise<R>,
      leave?: Leave<R>,
    ) => {
      const { params, isModern } = request;
      const requestHash = (): string => host.sha256(orderedJson(about));
      const state = isModern ? stateIn(params, states) : undefined;
      const entry =
        ((state ? resume(state, requestHash()) : undefined) as Entry<R> | undefined) ??
        begin(host, { given: isModern ? answersIn(params) : {}, askedContent: state?.content }, work);
      for (let round = 0; ; round++) {
        const turn = await nextTurn(entry.held, request, { host, leave });
        if ("result" in turn) return turn.result;
        if (isModern) {
          if (waiting.size < WAITING_MAX) return inputRequired(turn.asks, entry as Entry<unknown>, requestHash());
          entry.held.abandon();
          throw new ProtocolError(errorCodes.internal, `${WAITING_MAX} calls are waiting for answers; try again later`);
        }
        await askHere(entry.held, turn.asks, { request, host, isLast: round === ROUNDS_MAX });
      }
    },
    abandonAll: () => {
      for (const { entry, expiry } of waiting.values()) {
        expiry.abort();
        entry.held.abandon();
      }
      waiting.clear();
    },
  };
}

/** Returns what is known of the call that an answer belongs to, if it says so. */
function stateIn({ requestState }: JsonObject, states: CallStates): CallState | undefined {
  if (requestState === undefined) return undefined;
  const state = typeof requestState === "string" ? states.verify(requestState) : undefined;
  if (!state) throw refused("the `requestState` is not of this server, or is too old; call again without it");
  return state;
}

/** Returns the answers that came with a request. */
export function answersIn({ inputResponses }: JsonObject): Readonly<Record<string, unknown>> {
  return isJsonObject(inputResponses) ? inputResponses : {};
}

/** Asks the client while the request stays open. The call is given up if it does not answer. */
async function askHere<R>(
  held: HeldCall<R>,
  asks: InputRequests,
  { request, host, isLast }: { readonly request: OpenRequest; readonly host: Host; readonly isLast: boolean },
): Promise<void> {
  const over = new AbortController();
  const signal = AbortSignal.any([request.signal, over.signal]);
  void host
    .sleep(STATE_SECONDS * 1000, over.signal)
    .then(() => over.abort(new Error("there was no answer in ten minutes")));
  try {
    if (isLast) throw new Error(`it was asked ${ROUNDS_MAX} times already`);
    const answers = Object.entries(asks).map(
      async ([key, asked]) => [key, await request.ask(asked as ClientRequest, signal)] as const,
    );
    held.answer(Object.fromEntries(await Promise.all(answers)));
    const odd = Object.keys(asks).find((key) => Object.hasOwn(held.asks, key));
    if (odd !== undefined) throw new Error(`its answer to \`${odd}\` is none`);
  } catch (error) {
    held.abandon();
    throw new Unanswered(
      errorCodes.internal,
      `the client did not answer what the call asks: ${faultOf(error).message}`,
    );
  } finally {
    // What it was asked beside what failed is withdrawn.
    over.abort();
  }
}

/** Waits for the next turn of the call, and leaves it behind the request if that takes long. */
async function nextTurn<R extends JsonObject>(
  held: HeldCall<R>,
  request: OpenRequest,
  { host, leave }: { readonly host: Host; readonly leave: Leave<R> | undefined },
): Promise<Turn<JsonObject>> {
  if (!leave) return held.next(request);
  const ending = new AbortController();
  const turn = await held.next(request, host.sleep(leave.afterMs, ending.signal));
  ending.abort();
  if (turn !== "late") return turn;
  const left = await leave.to(held);
  return left === undefined ? held.next(request) : { result: left };
}

interface Given {
  readonly given: Readonly<Record<string, unknown>>;
  readonly askedContent: string | undefined;
}

function begin<R>(host: Host, { given, askedContent }: Given, work: (begun: Begun<R>) => Promise<R>): Entry<R> {
  const entry = {
    content: undefined as string | undefined,
    held: holdCall<R>(host, given, (held) =>
      work({ held, askedContent, asksFirst: (content) => void (entry.content = content) }),
    ),
  };
  return entry;
}

/** Returns the same text for equal values, whatever the order of their properties. */
function orderedJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isJsonObject(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

function refused(message: string): ProtocolError {
  return invalidParams(message, { reason: "invalid_request_state" });
}

// Work that may ask the client while it runs. Its questions are the answer to the open request, and the next request
// brings the client's answers. So a tool is written in one piece, runs once, and works in both eras of the protocol.

export interface HeldCall<R> {
  /** The open request, for notifications beside the result. Absent between two requests. */
  readonly request: OpenRequest | undefined;
  /** Aborts when the client gives up. */
  readonly signal: AbortSignal;
  /** `takesGiven` is true by default. */
  ask(key: string, request: ClientRequest, options?: { readonly takesGiven: boolean }): Promise<JsonObject>;
  /** Runs until the work is done or needs answers. */
  next(request: OpenRequest): Promise<Turn<R>>;
  /** Runs until the work is done, needs answers, or `late` has settled. */
  next(request: OpenRequest, late: Promise<void>): Promise<Turn<R> | "late">;
  /** What it asks at the moment. */
  readonly asks: InputRequests;
  /** Answers questions; those without a valid answer stay. */
  answer(answers: Readonly<Record<string, unknown>>): void;
  /** Settles when the work is done. */
  readonly done: Promise<R>;
  /** Ends the work, because no answer will come. */
  abandon(): void;
}

type Turn<R> = { readonly result: R } | { readonly asks: InputRequests };

interface Ask {
  readonly request: ClientRequest;
  resolve(answer: JsonObject): void;
  reject(error: Error): void;
}

/** Questions within this time are sent together. */
const GATHER_MS = 1;

/** Starts the work. `given` are answers that came with the first request. */
function holdCall<R>(
  host: Host,
  given: Readonly<Record<string, unknown>>,
  work: (held: HeldCall<R>) => Promise<R>,
): HeldCall<R> {
  const ending = new AbortController();
  const asks = new Map<string, Ask>();
  let open: OpenRequest | undefined;
  let wake: (() => void) | undefined;
  const needsAnswers = (): Promise<Turn<R>> =>
    new Promise((resolve) => {
      const leave = (): void => {
        // A client that gave up in the meantime waits for the end of the work.
        if (asks.size > 0) resolve({ asks: held.asks });
      };
      wake = () => void host.sleep(GATHER_MS, ending.signal).then(leave);
      if (asks.size > 0) wake();
    });
  const held: HeldCall<R> = {
    get request(): OpenRequest | undefined {
      return open;
    },
    signal: ending.signal,
    ask: (key, request, { takesGiven } = { takesGiven: true }) => {
      const answer = readAnswer(request.method, takesGiven && Object.hasOwn(given, key) ? given[key] : undefined);
      if (answer) return Promise.resolve(answer);
      if (ending.signal.aborted) return Promise.reject(new Error("the client has disconnected"));
      if (asks.has(key))
        return Promise.reject(new Error(`\`${key}\` is already in use; give each request its own key`));
      return new Promise((resolve, reject) => {
        asks.set(key, { request, resolve, reject });
        wake?.();
      });
    },
    get asks(): InputRequests {
      return Object.fromEntries([...asks].map(([key, { request }]) => [key, request]));
    },
    answer: (answers) => answerAll(asks, answers),
    get done(): Promise<R> {
      return working;
    },
    next: async (request: OpenRequest, late?: Promise<void>): Promise<never> => {
      const { signal, isModern, params } = request;
      open = request;
      signal.addEventListener("abort", held.abandon, { once: true });
      if (signal.aborted) held.abandon();
      if (isModern) answerAll(asks, answersIn(params));
      try {
        const turns: Promise<Turn<R> | "late">[] = [done, needsAnswers()];
        if (late) turns.push(late.then(() => "late" as const));
        return (await Promise.race(turns)) as never;
      } finally {
        wake = undefined;
        open = undefined;
        signal.removeEventListener("abort", held.abandon);
      }
    },
    abandon: () => {
      ending.abort();
      for (const [key, ask] of asks) ask.reject(new Error(`the client disconnected without an answer to \`${key}\``));
      asks.clear();
    },
  };
  const working = Promise.resolve().then(() => work(held));
  const done = working.then((result): Turn<R> => ({ result }));
  // `next` handles a rejection. Between two requests there is no other handler.
  done.catch(() => undefined);
  return held;
}

/** Answers the questions. Those without a valid answer are asked again. */
function answerAll(asks: Map<string, Ask>, answers: Readonly<Record<string, unknown>>): void {
  for (const [key, ask] of asks) {
    const answer = readAnswer(ask.request.method, Object.hasOwn(answers, key) ? answers[key] : undefined);
    if (!answer) continue;
    asks.delete(key);
    ask.resolve(answer);
  }
}

// Checks the answers of clients to questions, which are untrusted until then.

/** Reads an answer. Returns undefined if it does not answer this request, which is then made again. */
function readAnswer(method: ClientRequest["method"], answer: unknown): JsonObject | undefined {
  if (!isJsonObject(answer)) return undefined;
  switch (method) {
    case "elicitation/create":
      return typeof answer["action"] === "string" && ["accept", "decline", "cancel"].includes(answer["action"])
        ? answer
        : undefined;
    case "sampling/createMessage":
      return typeof answer["role"] === "string" && answer["content"] !== undefined ? answer : undefined;
    case "roots/list":
      return Array.isArray(answer["roots"]) ? answer : undefined;
  }
}

/** Returns what was filled in, or undefined if the person declined. */
export function acceptedContent(answer: JsonObject): JsonObject | undefined {
  const { action, content } = answer;
  return action === "accept" ? (isJsonObject(content) ? content : {}) : undefined;
}
