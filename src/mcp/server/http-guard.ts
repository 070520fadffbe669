// Decides which requests the server accepts over HTTP: not from a website whose name resolves to this machine, nor
// without no token.
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import type { Host } from "../../tool/host.ts";

export interface GuardOptions {
  readonly host: Host;
  /** Absent: every client that can connect may call. */
  readonly token: string | undefined;
  /** Beside those of this machine. */
  readonly hostnames: readonly string[];
}

/** The answer to a refused request. */
export function guard(request: Request, { host, token, hostnames }: GuardOptions): Response | undefined {
  const wrongHost = hostHeaderValidationResponse(request, [...localhostAllowedHostnames(), ...hostnames]);
  if (wrongHost) return wrongHost;
  const wrongOrigin = originValidationResponse(request, [...localhostAllowedOrigins(), ...hostnames]);
  if (wrongOrigin) return wrongOrigin;
  if (token === undefined || isToken(request.headers.get("authorization"), token, host)) return undefined;
  return refusal({
    status: 401,
    code: -32_001,
    message:
      "this server requires its token: send the header `Authorization: Bearer TOKEN`; the server printed the token when it started",
    headers: { "www-authenticate": 'Bearer realm="dottool"' },
  });
}

/** Compared as hashes: how long that takes says nothing of how much of it is right. */
function isToken(header: string | null, token: string, host: Host): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1];
  return given !== undefined && host.sha256(`token ${given}`) === host.sha256(`token ${token}`);
}

export interface RpcRefusal {
  /** The HTTP status. */
  readonly status: number;
  /** The JSON-RPC error code. */
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The id of the request, if it has one. */
  readonly id?: string | number | null;
}

export function refusal({ status, code, message, headers = {}, id = null }: RpcRefusal): Response {
  return Response.json({ jsonrpc: "2.0", id, error: { code, message } }, { status, headers });
}
