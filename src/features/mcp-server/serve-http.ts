// The server over HTTP, as a function from requests to responses. The host has the sockets.
import type { JsonObject } from "../../core/schema/json.ts";
import { guard, type GuardOptions, isJson, refusal } from "../web/http-guard.ts";
import { type Connection, openConnection } from "./connection.ts";
import { headerFault, isModernByHeader, parameterHeaderFault } from "./http-headers.ts";
import { openReply } from "./http-reply.ts";
import { openHttpSessions, SESSION_HEADER, whenGone } from "./http-sessions.ts";
import { envelopeOf, metaOf } from "./open-request.ts";
import { answerPlain, inPlainForm, isPlainPath, OPENAPI_PATH, problem } from "./plain-http.ts";
import { errorCodes, metaKeys, type RpcFault, type RpcMessage } from "./protocol.ts";
import { readText } from "./rpc-message.ts";
import type { Served } from "./served.ts";
import type { Asker } from "../../core/tool/host.ts";

interface HttpFace {
  /** Returns the refusal of a request that is not allowed or has the wrong path, before its body is read. */
  refuse(request: Request): Promise<Response | undefined>;
  tooLong(request: Request): Response;
  answer(request: Request, from: Asker): Promise<Response>;
  close(): Promise<void>;
}

interface HttpFaceOptions extends GuardOptions {
  /** The key that signs sessions. */
  readonly key: string;
}

interface Asked {
  readonly request: Request;
  readonly body: RpcMessage;
  readonly caller: string;
}

export const MCP_PATH = "/mcp";
export const BODY_BYTES_MAX = 1024 * 1024;
/** The limit of concurrent calls of one client. The next one is told to try again. */
const CALLS_MAX = 32;
/** The limit of concurrent calls of all clients together. */
const ALL_CALLS_MAX = 256;

export function openHttpFace(served: Served, options: HttpFaceOptions): HttpFace {
  const { host, service } = served;
  const open = new Set<Connection>();
  /** Answers a request by itself. */
  const single = async ({ request, body, caller }: Asked, inModern = false): Promise<Response> => {
    // What is no request is about one of a session.
    if (body.method === undefined || body.id === undefined) return new Response(null, { status: 202 });
    const outlet = openReply({ host, isModern: inModern });
    const connection = openConnection({ served, outlet, caller });
    open.add(connection);
    connection.take(body);
    whenGone(request, () => {
      open.delete(connection);
      connection.close().catch(() => undefined);
    });
    return outlet.response;
  };
  const sessions = openHttpSessions(served, options.key);
  const answerModern = async (asked: Asked): Promise<Response> => {
    const fault = await modernFault(asked, service);
    return fault ? refusal({ status: 400, ...fault, id: asked.body.id ?? null }) : single(asked, true);
  };
  const calls = new Map<string, number>();
  let allCalls = 0;
  const takesOneMore = (client: string, request: Request): boolean => {
    const own = calls.get(client) ?? 0;
    if (own >= CALLS_MAX || allCalls >= ALL_CALLS_MAX) return false;
    allCalls++;
    calls.set(client, own + 1);
    whenGone(request, () => {
      allCalls--;
      const left = (calls.get(client) ?? 1) - 1;
      if (left === 0) calls.delete(client);
      else calls.set(client, left);
    });
    return true;
  };
  return {
    refuse: async (request) => {
      const refused = guard(request, options);
      const { pathname } = new URL(request.url);
      if (refused) return isPlainPath(pathname) ? inPlainForm(refused) : refused;
      if (pathname === MCP_PATH || isPlainPath(pathname)) return undefined;
      return refusal({
        status: 404,
        code: -32_600,
        message: `there is nothing at \`${pathname.slice(0, 200)}\`; the server is at \`${MCP_PATH}\`, and \`${OPENAPI_PATH}\` describes calls without MCP`,
      });
    },
    tooLong: (request) => {
      const message = `a body may have at most ${BODY_BYTES_MAX} bytes`;
      return isPlainPath(new URL(request.url).pathname)
        ? problem(413, message)
        : refusal({ status: 413, code: -32_600, message });
    },
    answer: async (request, from) => {
      if (isPlainPath(new URL(request.url).pathname)) {
        const client = clientOf(request, {}, from);
        return answerPlain(request, {
          service,
          client,
          body: from.body,
          hasToken: options.token !== undefined,
          mayCall: () => takesOneMore(client, request),
        });
      }
      if (request.method !== "POST") return sessions.answer(request);
      const body = bodyOf(request, from.body);
      if (body instanceof Response) return body;
      const client = clientOf(request, body.params ?? {}, from);
      const asked = { request, body, caller: client };
      if (body.method === "tools/call" && !takesOneMore(client, request))
        return refusal({
          status: 429,
          code: -32_000,
          message: `too many calls are running: ${calls.get(client) ?? 0} of yours, and ${allCalls} of all clients; call again in a moment`,
          headers: { "retry-after": "1" },
          id: body.id ?? null,
        });
      return isModern(request, body) ? answerModern(asked) : sessions.answer(request, body, () => single(asked));
    },
    close: async () => {
      await served.end();
      await Promise.all([sessions.close(), ...[...open].map((connection) => connection.close())]);
    },
  };
}

/**
 * Returns the session, or else what a client says of itself. Two clients on one machine that say the same count as one.
 */
function clientOf({ headers }: Request, params: JsonObject, { address }: Asker): string {
  const session = headers.get(SESSION_HEADER);
  if (session !== null) return session;
  return JSON.stringify([address, headers.get("user-agent"), metaOf(params)[metaKeys.clientInfo] ?? null]);
}

function isModern({ headers }: Request, { method, params = {} }: RpcMessage): boolean {
  return method !== undefined && (isModernByHeader(headers) || envelopeOf(method, params) !== undefined);
}

/** Returns why a message of 2026-07-28 is not taken. */
async function modernFault({ request, body }: Asked, service: Served["service"]): Promise<RpcFault | undefined> {
  const { method = "", params = {} } = body;
  const fault = headerFault(request.headers, body);
  if (fault) return fault;
  const envelope = envelopeOf(method, params);
  if (envelope && "code" in envelope) return envelope;
  const tool = method === "tools/call" ? (await service.offer()).find(String(params["name"])) : undefined;
  return tool?.inputSchema && parameterHeaderFault(request.headers, tool.inputSchema, params["arguments"]);
}

/** Returns the message, or the refusal of a body that has none. */
function bodyOf(request: Request, bytes: Uint8Array): RpcMessage | Response {
  const code = errorCodes.invalidRequest;
  if (!isJson(request.headers)) return refusal({ status: 415, code, message: "the body must be `application/json`" });
  const read = readText(new TextDecoder().decode(bytes), "body");
  if ("message" in read) return read.message;
  const { id = null, error } = read.refused;
  return refusal({ status: 400, ...(error as RpcFault), id });
}
