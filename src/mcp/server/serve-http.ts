// The server over HTTP, as a function from requests to responses: the sockets are the host's.
import { createMcpHandler, isJsonContentType, isLegacyRequest } from "@modelcontextprotocol/server";
import { isJsonObject, type JsonObject } from "../../schema/json.ts";
import type { Host } from "../../tool/host.ts";
import { wrapArguments } from "./any-arguments.ts";
import { guard, type GuardOptions, refusal } from "./http-guard.ts";
import { openHttpSessions } from "./http-sessions.ts";
import { makeLastingServer, makeServer } from "./make-server.ts";
import { invalidMessage } from "./rpc-message.ts";
import type { Served } from "./served.ts";

export interface HttpFace {
  /** The answer to who may not ask, or asks at the wrong place: before the body is read. */
  refuse(request: Request): Response | undefined;
  answer(request: Request): Promise<Response>;
  close(): Promise<void>;
}

export interface HttpFaceOptions extends GuardOptions {
  readonly host: Host;
  /** Of sessions. */
  readonly key: string;
  onTrouble(message: string): void;
}

export const MCP_PATH = "/mcp";
export const BODY_BYTES_MAX = 1024 * 1024;
/** Calls at once; who comes then is told to come again. */
const CALLS_MAX = 32;

export function openHttpFace(served: Served, options: HttpFaceOptions): HttpFace {
  const { host, key, onTrouble } = options;
  const modern = createMcpHandler(() => makeServer(served), { legacy: "reject", maxRequestBodySize: BODY_BYTES_MAX, onerror: (error) => onTrouble(error.message) });
  const sessions = openHttpSessions({ host, key, lasting: () => makeLastingServer(served), single: () => makeServer(served) });
  const stop = served.service.onChange((change) => (change.kind === "resource" ? modern.notify.resourceUpdated(change.uri) : modern.notify[`${change.kind}Changed`]()));
  let calls = 0;
  const takesOneMore = (signal: AbortSignal): boolean => {
    if (calls >= CALLS_MAX) return false;
    calls++;
    // It aborts when the answer has left, or nobody waits for it.
    signal.addEventListener("abort", () => void calls--, { once: true });
    return true;
  };
  const dispatch = async (request: Request, body: unknown): Promise<Response> => ((await isLegacyRequest(request, body)) ? sessions.answer(request, body) : modern.fetch(request, { parsedBody: body }));
  return {
    refuse: (request) => {
      const refused = guard(request, options);
      if (refused) return refused;
      const { pathname } = new URL(request.url);
      if (pathname === MCP_PATH) return undefined;
      return refusal({ status: 404, code: -32_600, message: `there is nothing at \`${pathname.slice(0, 200)}\`; the server is at \`${MCP_PATH}\`` });
    },
    answer: async (request) => {
      if (request.method !== "POST") return sessions.answer(request, undefined);
      const read = await readMessage(request);
      if ("refused" in read) return read.refused;
      const { body } = read;
      if (body["method"] === "tools/call" && !takesOneMore(request.signal)) return refusal({ status: 429, code: -32_000, message: `${CALLS_MAX} calls are running already; call again in a moment`, headers: { "retry-after": "1" }, id: idOf(body) });
      return dispatch(request, body);
    },
    close: async () => {
      stop();
      served.held.abandonAll();
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}

async function readMessage(request: Request): Promise<{ readonly body: JsonObject } | { readonly refused: Response }> {
  if (!isJsonContentType(request.headers.get("content-type"))) return { refused: refusal({ status: 415, code: -32_600, message: "the body is `application/json`" }) };
  let body: unknown;
  try {
    body = JSON.parse(await request.text());
  } catch (error) {
    return { refused: refusal({ status: 400, code: -32_700, message: `the body is no JSON: ${error instanceof Error ? error.message : String(error)}` }) };
  }
  const invalid = invalidMessage(body);
  if (invalid || !isJsonObject(body)) return { refused: refusal({ status: 400, code: invalid?.error.code ?? -32_600, message: invalid?.error.message ?? "a message is a JSON object", id: invalid?.id ?? null }) };
  return { body: wrapArguments(body) };
}

function idOf({ id }: Readonly<Record<string, unknown>>): string | number | null {
  return typeof id === "string" || typeof id === "number" ? id : null;
}
