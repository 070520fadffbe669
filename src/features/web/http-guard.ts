// Decides which requests the server accepts over HTTP. It refuses those from a website whose name resolves to this
// machine, and those without the token if there is one.
import type { JsonObject } from "../../core/schema/json.ts";
import { isSameText } from "./host/same-text.ts";

export { isSameText };

export interface GuardOptions {
  /** If absent, every client that can connect may call. */
  readonly token: string | undefined;
  /** Accepted host names, besides those of this machine. */
  readonly hostnames: readonly string[];
}

/** Returns the answer to a refused request, or undefined. */
export function guard(request: Request, { token, hostnames }: GuardOptions): Response | undefined {
  const known = [...LOCAL_NAMES, ...hostnames];
  const [hostname, origin] = [request.headers.get("host") ?? "", request.headers.get("origin") ?? ""];
  if (!known.includes(nameIn(`http://${hostname}`))) return forbidden("Host", hostname);
  // Only browsers send an origin.
  if (origin !== "" && !known.includes(nameIn(origin))) return forbidden("Origin", origin);
  if (token === undefined || isToken(request.headers.get("authorization"), token)) return undefined;
  return refusal({
    status: 401,
    code: -32_001,
    message:
      "this server requires its token: send the header `Authorization: Bearer TOKEN`; the server printed the token when it started",
    headers: { "www-authenticate": 'Bearer realm="dottool"' },
  });
}

const LOCAL_NAMES: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Returns the host name in an address; empty for what is none. */
function nameIn(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : "";
}

function forbidden(header: string, value: string): Response {
  const message = `the header \`${header}\` has \`${value.slice(0, 200)}\`, which is not a name of this server`;
  return refusal({ status: 403, code: -32_000, message });
}

function isToken(header: string | null, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1];
  return given !== undefined && isSameText(given, token);
}

/** Whether a body is JSON. A website may send every other type to this machine without asking it. */
export function isJson(headers: Headers): boolean {
  return /^application\/json[\t ]*(?:;|$)/i.test(headers.get("content-type") ?? "");
}

interface RpcRefusal {
  readonly status: number;
  /** The JSON-RPC error code. */
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The id of the request, if it has one. */
  readonly id?: string | number | null;
  readonly data?: JsonObject;
}

export function refusal({ status, code, message, headers = {}, id = null, data }: RpcRefusal): Response {
  const error = { code, message, ...(data ? { data } : {}) };
  return Response.json({ jsonrpc: "2.0", id, error }, { status, headers });
}
