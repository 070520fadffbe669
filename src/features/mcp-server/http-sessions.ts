// The revisions up to 2025-11-25 over HTTP. A call that asks its client needs a session, which lives in one copy of the
// server. Other requests are answered by any copy that shares the key.
import {
  isInitializeRequest,
  legacyStatelessFallback,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { isJsonObject } from "../../core/schema/json.ts";
import type { Host } from "../../core/tool/host.ts";
import { refusal } from "../web/http-guard.ts";
import { takenIdText } from "./rpc-message.ts";

interface HttpSessions {
  answer(request: Request, body: unknown): Promise<Response>;
  close(): Promise<void>;
}

interface HttpSessionsOptions {
  readonly host: Host;
  /** Signs sessions. Copies with the same key accept each other's. */
  readonly key: string;
  /** Makes a server for a session. `client` tells its calls from those of others. */
  lasting(client: string): Server;
  single(request: Request | undefined): Server;
}

export const SESSION_HEADER = "mcp-session-id";
const SESSIONS_MAX = 1_000;
const IDLE_MS_MAX = 30 * 60 * 1000;

interface HttpSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  lastMs: number;
  /** The number of open streams and of requests without an answer. */
  open: number;
  /** Requests that are neither answered nor cancelled, by id. The value tells apart two uses of one id. */
  readonly asked: Map<RequestId, object>;
}

type RequestId = string | number;

export function openHttpSessions({ host, key, lasting, single }: HttpSessionsOptions): HttpSessions {
  const sessions = new Map<string, HttpSession>();
  const ended = new Set<string>();
  const stateless = legacyStatelessFallback(({ requestInfo }) => single(requestInfo));
  const signature = (start: string): string => host.sha256(`dottool mcp session ${key} ${start} ${key}`).slice(0, 32);
  const isOfOurs = (id: string): boolean => /^[0-9a-f]{64}$/.test(id) && signature(id.slice(0, 32)) === id.slice(32);
  const begin = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    makeRoom(sessions, host.nowMs());
    const asked: HttpSession["asked"] = new Map();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => {
        const start = host.randomId();
        return start + signature(start);
      },
      onsessioninitialized: (id) => void sessions.set(id, { transport, lastMs: host.nowMs(), open: 0, asked }),
      onsessionclosed: (id) => {
        sessions.delete(id);
        ended.add(id);
        if (ended.size > SESSIONS_MAX) ended.delete([...ended][0] ?? "");
      },
    });
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      if (!("method" in message) && message.id !== undefined) asked.delete(message.id);
      return send(message, options);
    };
    await lasting(host.randomId()).connect(transport);
    return transport;
  };
  return {
    answer: async (request, body) => {
      const id = request.headers.get(SESSION_HEADER);
      const session = id === null ? undefined : sessions.get(id);
      if (session) return within(session, { request, body, host });
      if (id !== null && (!isOfOurs(id) || ended.has(id) || request.method !== "POST"))
        return refusal({
          status: 404,
          code: -32_001,
          message: "unknown session; start a new one with `initialize`",
        });
      if (id === null && isInitializeRequest(body)) return (await begin()).handleRequest(request, { parsedBody: body });
      return stateless(request, { parsedBody: body });
    },
    close: async () => {
      await Promise.allSettled([...sessions.values()].map(({ transport }) => transport.close()));
      sessions.clear();
    },
  };
}

interface Asked {
  readonly request: Request;
  readonly body: unknown;
  readonly host: Host;
}

async function within(session: HttpSession, { request, body, host }: Asked): Promise<Response> {
  const { transport, asked } = session;
  const id = requestIdOf(body);
  // The client would take its answer for that of the first request, and cancelling one would leave the other running.
  if (id !== undefined && asked.has(id)) return refusal({ status: 400, code: -32_600, message: takenIdText(id), id });
  const own = {};
  if (id !== undefined) asked.set(id, own);
  session.lastMs = host.nowMs();
  session.open++;
  request.signal.addEventListener(
    "abort",
    () => {
      session.open--;
      session.lastMs = host.nowMs();
      // A request that has been answered is not cancelled, nor is a new one with the same id.
      if (id !== undefined && asked.get(id) === own) cancel(session, id);
    },
    { once: true },
  );
  const response = await transport.handleRequest(request, { parsedBody: body });
  const cancelled = cancelledId(body);
  if (cancelled !== undefined && asked.delete(cancelled)) transport.closeSSEStream(cancelled);
  return response;
}

/** Cancels the call, since its result can no longer be delivered. */
function cancel({ transport, asked }: HttpSession, requestId: RequestId): void {
  asked.delete(requestId);
  transport.onmessage?.({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId, reason: "the client has disconnected" },
  });
}

function requestIdOf(body: unknown): RequestId | undefined {
  return isJsonObject(body) && "method" in body ? knownId(body["id"]) : undefined;
}

/** Returns the id of the request that the client cancels. It gets no answer, so its stream ends. */
function cancelledId(body: unknown): RequestId | undefined {
  if (!isJsonObject(body) || body["method"] !== "notifications/cancelled" || !isJsonObject(body["params"]))
    return undefined;
  return knownId(body["params"]["requestId"]);
}

function knownId(id: unknown): RequestId | undefined {
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

/** Removes old sessions, since few clients say that they are done. */
function makeRoom(sessions: Map<string, HttpSession>, nowMs: number): void {
  const idle = [...sessions]
    .filter(([, { open }]) => open === 0)
    .sort(([, one], [, other]) => one.lastMs - other.lastMs);
  for (const [index, [id, { transport, lastMs }]] of idle.entries()) {
    if (sessions.size - index < SESSIONS_MAX && nowMs - lastMs < IDLE_MS_MAX) break;
    sessions.delete(id);
    void transport.close().catch(() => undefined);
  }
}
