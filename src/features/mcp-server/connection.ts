// One client over a lasting connection: standard input, a session over HTTP, or a transport of another program. Requests
// of both eras may come over it, each by itself.
import { isJsonObject, type JsonObject } from "../../core/schema/json.ts";
import type { ClientRequest } from "../../core/tool/tool.ts";
import { answerTo } from "./methods.ts";
import { envelopeOf, newClient, type OpenRequest } from "./open-request.ts";
import { errorCodes, failedAnswer, ProtocolError, type RequestId, type RpcMessage } from "./protocol.ts";
import { takenIdText } from "./rpc-message.ts";
import type { Served } from "./served.ts";
import { changeNotification } from "./service.ts";

/** Where messages to a client go. */
export interface Outlet {
  /** A returned promise says that the reader is slow, or gone if it rejects. */
  send(message: RpcMessage): void | Promise<void>;
  /** Called where a request gets no answer, because it was cancelled. */
  end?(): void;
}

export interface Connection {
  /** Takes a checked message. What belongs to the answer of a request goes to `own`. Returns what cancels the request. */
  take(message: RpcMessage, own?: Outlet): () => void;
  /** Learns from a message that another process has answered. */
  know(message: RpcMessage): void;
  isOpen(id: RequestId): boolean;
  /** Ends what runs, without answers. The open subscriptions have theirs. */
  close(): Promise<void>;
}

interface ConnectionOptions {
  readonly served: Served;
  /** Where goes what belongs to no request. */
  readonly outlet: Outlet;
  /** Tells the calls of this client from those of others. */
  readonly caller?: string;
}

interface Running {
  readonly method: string;
  readonly done: Promise<void>;
  cancel(): void;
}

export function openConnection({ served, outlet, caller }: ConnectionOptions): Connection {
  const client = newClient();
  const running = new Map<RequestId, Running>();
  const asks = new Asks();
  /** Set once the client has an answer of an earlier revision, which tells of changes without being asked. */
  let hearsChanges = false;
  const stopHearing = served.service.onChange((change) => {
    if (!hearsChanges || (change.kind === "resource" && !client.subscribed.has(change.uri))) return;
    send(outlet, { jsonrpc: "2.0", ...changeNotification(change) });
  });
  const know = ({ method, params = {} }: RpcMessage): void => {
    if (method !== "initialize" || envelopeOf(method, params)) return;
    const { capabilities } = params;
    Object.assign(client, { ...newClient(), capabilities: isJsonObject(capabilities) ? capabilities : {} });
  };
  const run = async (request: OpenRequest, own: Outlet): Promise<void> => {
    const { id, isModern, signal } = request;
    const answer = await answerTo(request, served);
    if (!answer || signal.aborted) return;
    running.delete(id);
    send(own, answer);
    hearsChanges ||= !isModern;
  };
  const take = (message: RpcMessage, own = outlet): (() => void) => {
    const { id, method, params = {} } = message;
    if (method === undefined) {
      asks.answer(message);
      return nothing;
    }
    if (id === undefined || id === null) {
      const { requestId } = params;
      if (method === "notifications/cancelled") running.get(requestId as RequestId)?.cancel();
      return nothing;
    }
    // The error has no id, or it would be the answer to the first request.
    if (running.has(id))
      return refuse(own, failedAnswer(null, { code: errorCodes.invalidRequest, message: takenIdText(id) }));
    const envelope = envelopeOf(method, params);
    if (envelope && "code" in envelope) return refuse(own, failedAnswer(id, envelope));
    know(message);
    const controller = new AbortController();
    const { signal } = controller;
    const request: OpenRequest = {
      id,
      method,
      params,
      isModern: envelope !== undefined,
      client: envelope?.client ?? client,
      caller,
      signal,
      notify: async (about, more) => own.send({ jsonrpc: "2.0", method: about, params: more }),
      ask: (asked, until) => asks.ask(asked, own, until),
    };
    const cancel = (): void => {
      if (running.get(id)?.cancel !== cancel) return;
      running.delete(id);
      controller.abort();
      own.end?.();
    };
    // `run` waits at least once before it looks there.
    running.set(id, { method, done: run(request, own), cancel });
    return cancel;
  };
  return {
    take,
    know,
    isOpen: (id) => running.has(id),
    close: async () => {
      stopHearing();
      if (served.ending.aborted)
        await Promise.all([...running.values()].filter(isSubscription).map(({ done }) => done));
      for (const { cancel } of [...running.values()]) cancel();
    },
  };
}

const nothing = (): void => undefined;

function isSubscription({ method }: Running): boolean {
  return method === "subscriptions/listen";
}

function refuse(outlet: Outlet, answer: RpcMessage): () => void {
  send(outlet, answer);
  return nothing;
}

/** Sends without waiting. A client that has gone is noticed where its input ends. */
function send(outlet: Outlet, message: RpcMessage): void {
  outlet.send(message)?.catch(() => undefined);
}

/** The requests of the server to its client, up to 2025-11-25. Only what was asked has an answer. */
class Asks {
  readonly #open = new Map<unknown, PromiseWithResolvers<JsonObject>>();
  #count = 0;

  async ask({ method, params }: ClientRequest, own: Outlet, signal: AbortSignal): Promise<JsonObject> {
    signal.throwIfAborted();
    const id = ++this.#count;
    const asked = Promise.withResolvers<JsonObject>();
    const giveUp = (): void => {
      send(own, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
      asked.reject(signal.reason);
    };
    this.#open.set(id, asked);
    signal.addEventListener("abort", giveUp);
    send(own, { jsonrpc: "2.0", id, method, params });
    try {
      return await asked.promise;
    } finally {
      this.#open.delete(id);
      signal.removeEventListener("abort", giveUp);
    }
  }

  answer({ id, result, error }: RpcMessage): void {
    const asked = this.#open.get(id);
    if (result) asked?.resolve(result);
    else asked?.reject(new ProtocolError(error?.code ?? errorCodes.internal, String(error?.message)));
  }
}
