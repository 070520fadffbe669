// Who may speak to the server over HTTP: a page of some website, whose name leads to this machine, may not, nor who has no token.
import { hostHeaderValidationResponse, localhostAllowedHostnames, localhostAllowedOrigins, originValidationResponse } from "@modelcontextprotocol/server";
import type { Host } from "../../tool/host.ts";

export interface GuardOptions {
  readonly host: Host;
  /** Absent: everybody who can connect may call. */
  readonly token: string | undefined;
  /** Beside those of this machine. */
  readonly hostnames: readonly string[];
}

/** The answer to who may not. */
export function guard(request: Request, { host, token, hostnames }: GuardOptions): Response | undefined {
  const wrongHost = hostHeaderValidationResponse(request, [...localhostAllowedHostnames(), ...hostnames]);
  if (wrongHost) return wrongHost;
  const wrongOrigin = originValidationResponse(request, [...localhostAllowedOrigins(), ...hostnames]);
  if (wrongOrigin) return wrongOrigin;
  if (token === undefined || isToken(request.headers.get("authorization"), token, host)) return undefined;
  return rpcResponse(401, -32_001, "this server wants its token: send the header `Authorization: Bearer TOKEN`; the server has printed it where it was started", { "www-authenticate": 'Bearer realm="dottool"' });
}

/** Compared as hashes: how long that takes says nothing of how much of it is right. */
function isToken(header: string | null, token: string, host: Host): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1];
  return given !== undefined && host.sha256(`token ${given}`) === host.sha256(`token ${token}`);
}

export function rpcResponse(status: number, code: number, message: string, headers: Readonly<Record<string, string>> = {}, id: string | number | null = null): Response {
  return Response.json({ jsonrpc: "2.0", id, error: { code, message } }, { status, headers });
}
