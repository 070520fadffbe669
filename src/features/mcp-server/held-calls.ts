// The calls that wait for answers of their clients, each under the signed state that its client holds.
import {
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type InputRequests,
} from "@modelcontextprotocol/server";
import { isJsonObject, type JsonObject } from "../../core/schema/json.ts";
import type { Host } from "../../core/tool/host.ts";
import { type CallState, type CallStates, STATE_SECONDS } from "./call-state.ts";
import type { ClientRequest } from "../../core/tool/tool.ts";

interface HeldRequest {
  readonly context: ServerContext;
  /** The method, the name and the arguments, which tell what an answer belongs to. */
  readonly about: readonly unknown[];
  /**
   * Whether the request stays open while its client is asked, as in the revisions up to 2025-11-25. Until then it can
   * be cancelled.
   */
  readonly staysOpen: boolean;
}

/** How a call that takes long goes on behind its request. */
export interface Leave<R> {
  readonly afterMs: number;
  /** Returns the answer to the request; undefined if the request has to wait for the result. */
  to(held: HeldCall<R>): Promise<R | undefined>;
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
  run<R>(
    request: HeldRequest,
    work: (begun: Begun<R>) => Promise<R>,
    leave?: Leave<R>,
  ): Promise<R | InputRequiredResult>;
  /** Ends all of them. */
  abandonAll(): void;
}

const WAITING_MAX = 1_000;

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
  const giveUpWith = (signal: AbortSignal, call: string): void => {
    const giveUp = (): void => {
      const found = waiting.get(call);
      waiting.delete(call);
      found?.expiry.abort();
      found?.entry.held.abandon();
    };
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
  };
  return {
    run: async <R>(
      { context, about, staysOpen }: HeldRequest,
      work: (begun: Begun<R>) => Promise<R>,
      leave?: Leave<R>,
    ) => {
      const requestHash = (): string => host.sha256(orderedJson(about));
      const state = context.mcpReq.requestState<CallState>();
      const entry =
        ((state ? resume(state, requestHash()) : undefined) as Entry<R> | undefined) ??
        begin(host, { given: context.mcpReq.inputResponses ?? {}, askedContent: state?.content }, work);
      const turn = await nextTurn(entry.held, context, { host, leave });
      if ("result" in turn) return turn.result;
      if (waiting.size >= WAITING_MAX) {
        entry.held.abandon();
        throw new ProtocolError(
          ProtocolErrorCode.InternalError,
          `${WAITING_MAX} calls are waiting for answers; try again later`,
        );
      }
      const { content } = entry;
      const call = wait(entry as Entry<unknown>);
      if (staysOpen) giveUpWith(context.mcpReq.signal, call);
      const requestState = await states.mint({
        call,
        request: requestHash(),
        ...(content === undefined ? {} : { content }),
      });
      return inputRequired({ inputRequests: turn.asks, requestState });
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

/** Waits for the next turn of the call, and leaves it behind the request if that takes long. */
async function nextTurn<R>(
  held: HeldCall<R>,
  context: ServerContext,
  { host, leave }: { readonly host: Host; readonly leave: Leave<R> | undefined },
): Promise<Turn<R>> {
  if (!leave) return held.next(context);
  const ending = new AbortController();
  const turn = await held.next(context, host.sleep(leave.afterMs, ending.signal));
  ending.abort();
  if (turn !== "late") return turn;
  const left = await leave.to(held);
  return left === undefined ? held.next(context) : { result: left };
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
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, { reason: "invalid_request_state" });
}

// Work that may ask the client while it runs. Its questions are the answer to the open request, and the next request
// brings the client's answers. So a tool is written in one piece, runs once, and works in both eras of the protocol.

export interface HeldCall<R> {
  /** The open request, for notifications beside the result. Absent between two requests. */
  readonly context: ServerContext | undefined;
  /** Aborts when the client gives up. */
  readonly signal: AbortSignal;
  /** `takesGiven` is true by default. */
  ask(key: string, request: ClientRequest, options?: { readonly takesGiven: boolean }): Promise<JsonObject>;
  /** Runs until the work is done or needs answers. */
  next(context: ServerContext): Promise<Turn<R>>;
  /** Runs until the work is done, needs answers, or `late` has settled. */
  next(context: ServerContext, late: Promise<void>): Promise<Turn<R> | "late">;
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
  let open: ServerContext | undefined;
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
    get context(): ServerContext | undefined {
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
      return Object.fromEntries([...asks].map(([key, { request }]) => [key, request])) as unknown as InputRequests;
    },
    answer: (answers) => answerAll(asks, answers),
    get done(): Promise<R> {
      return working;
    },
    next: async (context: ServerContext, late?: Promise<void>): Promise<never> => {
      const { signal, inputResponses = {} } = context.mcpReq;
      open = context;
      signal.addEventListener("abort", held.abandon, { once: true });
      if (signal.aborted) held.abandon();
      answerAll(asks, inputResponses);
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
