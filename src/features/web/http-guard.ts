// Decides which requests the server accepts over HTTP. It refuses those from a website whose name resolves to this
// machine, and those without the token if there is one.
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import type { Host } from "../../core/tool/host.ts";

export interface GuardOptions {
  readonly host: Host;
  /** If absent, every client that can connect may call. */
  readonly token: string | undefined;
  /** Accepted host names, besides those of this machine. */
  readonly hostnames: readonly string[];
}

/** Returns the answer to a refused request, or undefined. */
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

/** Compares hashes, so that the time tells nothing about how much of a token is right. */
function isToken(header: string | null, token: string, host: Host): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1];
  return given !== undefined && host.sha256(`token ${given}`) === host.sha256(`token ${token}`);
}

interface RpcRefusal {
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
