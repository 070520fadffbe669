// The web for tools: HTTP with an address guard (web-address.ts, web-resolve.ts). It loads node:http and node:https, so
// lazy-parts.ts loads it late.
import type { HostWeb } from "../../tool/host.ts";
import { fetchGuarded } from "./web-client.ts";
import { resolveBySystem, type ResolveName } from "./web-resolve.ts";

export interface WebOptions {
  /** Resolves names; absent: the resolver of the operating system. */
  readonly resolve?: ResolveName;
  /** PEM certificates to trust instead of the runtime's. */
  readonly authorities?: string;
}

export function createWeb(options: WebOptions = {}): HostWeb {
  const client = { resolve: resolveBySystem, ...options };
  return { fetch: (request) => fetchGuarded(request, client) };
}
