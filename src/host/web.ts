// The web for tools: HTTP with the address guard of safety.md. Loads node:http and node:https, so lazy-parts.ts loads
// it late.
import type { HostWeb } from "../tool/host.ts";
import { fetchGuarded } from "./web-client.ts";
import { resolveBySystem, type ResolveName } from "./web-resolve.ts";

export interface WebOptions {
  /** Where names are looked up; absent: as the operating system does. */
  readonly resolve?: ResolveName;
  /** PEM certificates to trust instead of the ones that the runtime knows. */
  readonly authorities?: string;
}

export function createWeb(options: WebOptions = {}): HostWeb {
  const client = { resolve: resolveBySystem, ...options };
  return { fetch: (request) => fetchGuarded(request, client) };
}
