// Runs the SDK's server on a transport: the part of `serve-lines.ts` that takes long to load.
import type { Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Host } from "../../tool/host.ts";
import { makeLastingServer } from "./make-server.ts";
import { serve } from "./served.ts";
import type { McpService } from "./service.ts";

interface StartOptions {
  readonly host: Host;
  readonly transport: Transport;
  onTrouble(message: string): void;
}

export function startSdk(
  service: McpService,
  { host, transport, onTrouble }: StartOptions,
): { close(): Promise<void> } {
  const served = serve(service, host, host.randomId());
  const handle = serveStdio(() => makeLastingServer(served), {
    transport,
    onerror: (error) => onTrouble(error.message),
  });
  return {
    close: async () => {
      served.held.abandonAll();
      await served.background.endAll();
      await handle.close();
    },
  };
}
