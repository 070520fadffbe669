// The server over HTTP, as a function from requests to responses. The host has the sockets.
import { createMcpHandler, isJsonContentType, isLegacyRequest, type Server } from "@modelcontextprotocol/server";
import { isJsonObject, type JsonObject } from "../../core/schema/json.ts";
import type { Host } from "../../core/tool/host.ts";
import type { Asker } from "../../core/tool/host-server.ts";
import { wrapArguments } from "./any-arguments.ts";
import { guard, type GuardOptions, refusal } from "../web/http-guard.ts";
import { openHttpSessions, SESSION_HEADER } from "./http-sessions.ts";
import { makeLastingServer, makeServer } from "./make-server.ts";
import { answerPlain, inPlainForm, isPlainPath, OPENAPI_PATH, problem } from "./plain-http.ts";
import { invalidMessage } from "./rpc-message.ts";
import type { Served } from "./served.ts";

interface HttpFace {
  /** Returns the refusal of a request that is not allowed or has the wrong path, before its body is read. */
  refuse(request: Request): Promise<Response | undefined>;
  tooLong(request: Request): Response;
  answer(request: Request, from: Asker): Promise<Response>;
  close(): Promise<void>;
}

interface HttpFaceOptions extends GuardOptions {
  readonly host: Host;
  /** The key that signs sessions. */
  readonly key: string;
  onTrouble(message: string): void;
}

export const MCP_PATH = "/mcp";
export const BODY_BYTES_MAX = 1024 * 1024;
/** The limit of concurrent calls of one client. The next one is told to try again. */
const CALLS_MAX = 32;
/** The limit of concurrent calls of all clients together. */
const ALL_CALLS_MAX = 256;

export function openHttpFace(served: Served, options: HttpFaceOptions): HttpFace {
  const { host, key, onTrouble } = options;
  const clients = new WeakMap<Request, string>();
  const single = (request: Request | undefined): Server =>
    makeServer({ ...served, client: request && clients.get(request) });
  const modern = createMcpHandler(({ requestInfo }) => single(requestInfo), {
    legacy: "reject",
    maxRequestBodySize: BODY_BYTES_MAX,
    onerror: (error) => onTrouble(error.message),
  });
  const sessions = openHttpSessions({
    host,
    key,
    lasting: (client) => makeLastingServer({ ...served, client }),
    single,
  });
  const stop = served.service.onChange((change) =>
    change.kind === "resource" ? modern.notify.resourceUpdated(change.uri) : modern.notify[`${change.kind}Changed`](),
  );
  const calls = new Map<string, number>();
  let allCalls = 0;
  const takesOneMore = (client: string, signal: AbortSignal): boolean => {
    const own = calls.get(client) ?? 0;
    if (own >= CALLS_MAX || allCalls >= ALL_CALLS_MAX) return false;
    allCalls++;
    calls.set(client, own + 1);
    // The signal aborts when the answer has been sent or the client no longer waits for it.
    signal.addEventListener(
      "abort",
      () => {
        allCalls--;
        const left = (calls.get(client) ?? 1) - 1;
        if (left === 0) calls.delete(client);
        else calls.set(client, left);
      },
      { once: true },
    );
    return true;
  };
  const dispatch = async (request: Request, body: unknown): Promise<Response> =>
    (await isLegacyRequest(request, body))
      ? sessions.answer(request, body)
      : modern.fetch(request, { parsedBody: body });
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
          service: served.service,
          client,
          body: from.body,
          hasToken: options.token !== undefined,
          mayCall: () => takesOneMore(client, request.signal),
        });
      }
      if (request.method !== "POST") return sessions.answer(request, undefined);
      const read = readMessage(request, from.body);
      if ("refused" in read) return read.refused;
      const { body } = read;
      const client = clientOf(request, body, from);
      clients.set(request, client);
      if (body["method"] === "tools/call" && !takesOneMore(client, request.signal))
        return refusal({
          status: 429,
          code: -32_000,
          message: `too many calls are running: ${calls.get(client) ?? 0} of yours, and ${allCalls} of all clients; call again in a moment`,
          headers: { "retry-after": "1" },
          id: idOf(body),
        });
      return dispatch(request, body);
    },
    close: async () => {
      stop();
      served.held.abandonAll();
      await served.background.endAll();
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}

/**
 * Returns the session, or else what a client says of itself. Two clients on one machine that say the same count as one.
 */
function clientOf({ headers }: Request, { params = {} }: JsonObject, { address }: Asker): string {
  const session = headers.get(SESSION_HEADER);
  if (session !== null) return session;
  const meta = isJsonObject(params) ? (params["_meta"] ?? {}) : {};
  return JSON.stringify([address, headers.get("user-agent"), isJsonObject(meta) ? (meta[CLIENT_KEY] ?? null) : null]);
}

const CLIENT_KEY = "io.modelcontextprotocol/clientInfo";

function readMessage(
  request: Request,
  bytes: Uint8Array,
): { readonly body: JsonObject } | { readonly refused: Response } {
  if (!isJsonContentType(request.headers.get("content-type")))
    return { refused: refusal({ status: 415, code: -32_600, message: "the body must be `application/json`" }) };
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    return {
      refused: refusal({
        status: 400,
        code: -32_700,
        message: `the body is not JSON: ${error instanceof Error ? error.message : String(error)}`,
      }),
    };
  }
  const invalid = invalidMessage(body);
  if (invalid || !isJsonObject(body))
    return {
      refused: refusal({
        status: 400,
        code: invalid?.error.code ?? -32_600,
        message: invalid?.error.message ?? "a message must be a JSON object",
        id: invalid?.id ?? null,
      }),
    };
  return { body: wrapArguments(body) };
}

function idOf({ id }: Readonly<Record<string, unknown>>): string | number | null {
  return typeof id === "string" || typeof id === "number" ? id : null;
}
