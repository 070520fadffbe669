// The revisions up to 2025-11-25 over HTTP. A call that asks its client needs a session, which lives in one copy of the
// server. Other requests are answered by any copy that shares the key.
import type { Host } from "../../core/tool/host.ts";
import { isSameText, refusal } from "../web/http-guard.ts";
import { type Connection, openConnection } from "./connection.ts";
import { type EventStream, openReply, openStream } from "./http-reply.ts";
import { errorCodes, type RpcMessage } from "./protocol.ts";
import { takenIdText } from "./rpc-message.ts";
import { earlierRevisions } from "./server-facts.ts";
import type { Served } from "./served.ts";

interface HttpSessions {
  /** `body` is absent unless the request is a POST. `single` answers it outside of a session. */
  answer(request: Request, body?: RpcMessage, single?: () => Promise<Response>): Promise<Response>;
  close(): Promise<void>;
}

export const SESSION_HEADER = "mcp-session-id";
const SESSIONS_MAX = 1_000;
const IDLE_MS_MAX = 30 * 60 * 1000;
/** What a server that speaks HTTP refuses with: the protocol has no code for it. */
const REFUSED = -32_000;

interface HttpSession {
  readonly id: string;
  readonly connection: Connection;
  lastMs: number;
  /** The number of open streams and of requests without an answer. */
  open: number;
  /** Where goes what belongs to no request, while the client listens. */
  stream: EventStream | undefined;
}

/** `key` signs sessions. Copies with the same key accept each other's. */
export function openHttpSessions(served: Served, key: string): HttpSessions {
  const { host } = served;
  const sessions = new Map<string, HttpSession>();
  const ended = new Set<string>();
  const signature = (start: string): string => host.hash("sha256", `session ${start}`, key).slice(0, 32);
  const isOfOurs = (id: string): boolean =>
    /^[0-9a-f]{64}$/.test(id) && isSameText(signature(id.slice(0, 32)), id.slice(32));
  const begin = (): HttpSession => {
    makeRoom(sessions, host.nowMs());
    const start = host.randomId();
    const session: HttpSession = {
      id: start + signature(start),
      connection: openConnection({
        served,
        caller: host.randomId(),
        outlet: { send: (message) => session.stream?.write(message) },
      }),
      lastMs: host.nowMs(),
      open: 0,
      stream: undefined,
    };
    sessions.set(session.id, session);
    return session;
  };
  const end = async ({ id, connection, stream }: HttpSession): Promise<void> => {
    sessions.delete(id);
    ended.add(id);
    if (ended.size > SESSIONS_MAX) ended.delete([...ended][0] ?? "");
    await connection.close();
    stream?.end();
  };
  return {
    answer: async (request, body, single) => {
      const { method, headers } = request;
      const id = headers.get(SESSION_HEADER);
      const revision = headers.get("mcp-protocol-version");
      if (revision !== null && !earlierRevisions.includes(revision) && body?.method !== "initialize")
        return refused(400, `\`${revision.slice(0, 100)}\` is not one of ${earlierRevisions.join(", ")}`);
      const session = id === null ? undefined : sessions.get(id);
      if (session && method === "DELETE") {
        await end(session);
        return new Response(null, { status: 200 });
      }
      if (session && body) return within(session, { request, body, host });
      if (session && method === "GET") return listening(session, request, host);
      if (id !== null && !session && (!isOfOurs(id) || ended.has(id) || !body))
        return refusal({ status: 404, code: -32_001, message: "unknown session; start a new one with `initialize`" });
      if (!body || !single)
        return refused(405, "this method is not allowed here", { allow: session ? "GET, POST, DELETE" : "POST" });
      if (id === null && body.method === "initialize" && body.id !== undefined)
        return within(begin(), { request, body, host });
      return single();
    },
    close: async () => {
      await Promise.allSettled([...sessions.values()].map(end));
    },
  };
}

function refused(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return refusal({ status, code: REFUSED, message, headers });
}

/** Calls its argument when the answer has been sent, or the client has gone. */
export function whenGone({ signal }: Request, work: () => void): void {
  if (signal.aborted) work();
  else signal.addEventListener("abort", work, { once: true });
}

function keepOpen(session: HttpSession, request: Request, host: Host): void {
  session.lastMs = host.nowMs();
  session.open++;
  whenGone(request, () => {
    session.open--;
    session.lastMs = host.nowMs();
  });
}

interface Asked {
  readonly request: Request;
  readonly body: RpcMessage;
  readonly host: Host;
}

async function within(session: HttpSession, { request, body, host }: Asked): Promise<Response> {
  const { connection } = session;
  const { id, method } = body;
  keepOpen(session, request, host);
  if (method === undefined || id === undefined) {
    connection.take(body);
    return new Response(null, { status: 202 });
  }
  // The client would take its answer for that of the first request, and cancelling one would leave the other running.
  if (id !== null && connection.isOpen(id))
    return refusal({ status: 400, code: errorCodes.invalidRequest, message: takenIdText(id), id });
  const reply = openReply({ host, headers: { [SESSION_HEADER]: session.id } });
  // The result can no longer be delivered.
  whenGone(request, connection.take(body, reply));
  return reply.response;
}

function listening(session: HttpSession, request: Request, host: Host): Response {
  if (!request.headers.get("accept")?.includes("text/event-stream"))
    return refused(406, "this request is answered with a stream: accept `text/event-stream`");
  if (session.stream) return refused(409, "this session has a stream already");
  const stream = openStream(host, { [SESSION_HEADER]: session.id });
  session.stream = stream;
  keepOpen(session, request, host);
  whenGone(request, () => {
    stream.end();
    session.stream = undefined;
  });
  return stream.response;
}

/** Removes old sessions, since few clients say that they are done. */
function makeRoom(sessions: Map<string, HttpSession>, nowMs: number): void {
  const idle = [...sessions]
    .filter(([, { open }]) => open === 0)
    .sort(([, one], [, other]) => one.lastMs - other.lastMs);
  for (const [index, [id, { connection, lastMs }]] of idle.entries()) {
    if (sessions.size - index < SESSIONS_MAX && nowMs - lastMs < IDLE_MS_MAX) break;
    sessions.delete(id);
    void connection.close().catch(() => undefined);
  }
}
