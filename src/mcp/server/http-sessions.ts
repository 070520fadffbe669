// The revisions up to 2025-11-25 over HTTP. What asks the client in the middle of a call needs a session, which lives in one copy of the
// server; everything else is answered by any copy that knows the session as one of its kind.
import { isInitializeRequest, legacyStatelessFallback, type Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { Host } from "../../tool/host.ts";
import { refusal } from "./http-guard.ts";

export interface HttpSessions {
  answer(request: Request, body: unknown): Promise<Response>;
  close(): Promise<void>;
}

export interface HttpSessionsOptions {
  readonly host: Host;
  /** Copies that share it know each other's sessions. */
  readonly key: string;
  lasting(): Server;
  single(): Server;
}

const HEADER = "mcp-session-id";
const SESSIONS_MAX = 1_000;
const IDLE_MS_MAX = 30 * 60 * 1000;

interface HttpSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  lastMs: number;
  /** Requests that are not answered yet, and streams. */
  open: number;
}

export function openHttpSessions({ host, key, lasting, single }: HttpSessionsOptions): HttpSessions {
  const sessions = new Map<string, HttpSession>();
  const ended = new Set<string>();
  const stateless = legacyStatelessFallback(single);
  const signature = (start: string): string => host.sha256(`dottool mcp session ${key} ${start} ${key}`).slice(0, 32);
  const isOfOurs = (id: string): boolean => /^[0-9a-f]{64}$/.test(id) && signature(id.slice(0, 32)) === id.slice(32);
  const begin = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    makeRoom(sessions, host.nowMs());
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => {
        const start = host.randomId();
        return start + signature(start);
      },
      onsessioninitialized: (id) => void sessions.set(id, { transport, lastMs: host.nowMs(), open: 0 }),
      onsessionclosed: (id) => {
        sessions.delete(id);
        ended.add(id);
        if (ended.size > SESSIONS_MAX) ended.delete([...ended][0] ?? "");
      },
    });
    await lasting().connect(transport);
    return transport;
  };
  const within = async (session: HttpSession, request: Request, body: unknown): Promise<Response> => {
    session.lastMs = host.nowMs();
    session.open++;
    request.signal.addEventListener("abort", () => {
      session.open--;
      session.lastMs = host.nowMs();
      cancel(session.transport, body);
    }, { once: true });
    return session.transport.handleRequest(request, { parsedBody: body });
  };
  return {
    answer: async (request, body) => {
      const id = request.headers.get(HEADER);
      const session = id === null ? undefined : sessions.get(id);
      if (session) return within(session, request, body);
      if (id !== null && (!isOfOurs(id) || ended.has(id) || request.method !== "POST")) return refusal({ status: 404, code: -32_001, message: "there is no such session; begin another one with `initialize`" });
      if (id === null && isInitializeRequest(body)) return (await begin()).handleRequest(request, { parsedBody: body });
      return stateless(request, { parsedBody: body });
    },
    close: async () => {
      await Promise.allSettled([...sessions.values()].map(({ transport }) => transport.close()));
      sessions.clear();
    },
  };
}

/** Nobody can be told the result any more, so the call ends. What has been answered takes no notice. */
function cancel(transport: WebStandardStreamableHTTPServerTransport, body: unknown): void {
  if (typeof body !== "object" || body === null || !("method" in body) || !("id" in body)) return;
  transport.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: body.id as string | number, reason: "the client is gone" } });
}

/** Clients seldom say that they are done. */
function makeRoom(sessions: Map<string, HttpSession>, nowMs: number): void {
  const idle = [...sessions].filter(([, { open }]) => open === 0).sort(([, one], [, other]) => one.lastMs - other.lastMs);
  for (const [index, [id, { transport, lastMs }]] of idle.entries()) {
    if (sessions.size - index < SESSIONS_MAX && nowMs - lastMs < IDLE_MS_MAX) break;
    sessions.delete(id);
    void transport.close();
  }
}
