// Work that may ask the client while it runs. Its questions are the answer to the open request, and the next request
// brings the client's answers. So a tool is written in one piece, runs once, and works in both eras of the protocol.
import type { InputRequests, ServerContext } from "@modelcontextprotocol/server";
import type { JsonObject } from "../../schema/json.ts";
import type { Host } from "../../tool/host.ts";
import type { ClientRequest } from "../../tool/tool.ts";
import { readAnswer } from "./answer.ts";

export interface HeldCall<R> {
  /** The open request, for notifications beside the result. Absent between two requests. */
  readonly context: ServerContext | undefined;
  /** Aborts when the client gives up. */
  readonly signal: AbortSignal;
  /** `takesGiven` is true by default. */
  ask(key: string, request: ClientRequest, options?: { readonly takesGiven: boolean }): Promise<JsonObject>;
  /** Runs until the work is done or needs answers. */
  next(context: ServerContext): Promise<Turn<R>>;
  /** Ends the work, because no answer will come. */
  abandon(): void;
}

export type Turn<R> = { readonly result: R } | { readonly asks: InputRequests };

interface Ask {
  readonly request: ClientRequest;
  resolve(answer: JsonObject): void;
  reject(error: Error): void;
}

/** Questions within this time are sent together. */
const GATHER_MS = 1;

/** Starts the work. `given` are answers that came with the first request. */
export function holdCall<R>(
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
        if (asks.size > 0)
          resolve({
            asks: Object.fromEntries([...asks].map(([key, { request }]) => [key, request])) as unknown as InputRequests,
          });
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
    next: async (context) => {
      const { signal, inputResponses = {} } = context.mcpReq;
      open = context;
      signal.addEventListener("abort", held.abandon, { once: true });
      if (signal.aborted) held.abandon();
      answerAll(asks, inputResponses);
      try {
        return await Promise.race([done, needsAnswers()]);
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
  const done = Promise.resolve()
    .then(() => work(held))
    .then((result): Turn<R> => ({ result }));
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
