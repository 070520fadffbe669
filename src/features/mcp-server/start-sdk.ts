// Runs the SDK's server on a transport: the part of `serve-lines.ts` that takes long to load.
import type { Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Host } from "../../core/tool/host.ts";
import { type CallServer, isCall } from "./call-server.ts";
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
  const wire: Transport = {
    start: () => transport.start(),
    send: (message, options) => transport.send(message, options),
    close: () => transport.close(),
  };
  // A connection that has made a call stays with its server, so further calls and the answers need not be looked at.
  let calls: CallServer | undefined;
  const make = (): CallServer => {
    const server = makeLastingServer(served);
    server.onCall = () => {
      calls = server;
      server.answer = wire.send;
    };
    return server;
  };
  const handle = serveStdio(make, { transport: wire, onerror: (error) => onTrouble(error.message) });
  transport.onmessage = (message, extra) =>
    calls && isCall(message) ? calls.take(message) : wire.onmessage?.(message, extra);
  transport.onclose = () => wire.onclose?.();
  return {
    close: async () => {
      served.held.abandonAll();
      await served.background.endAll();
      await handle.close();
    },
  };
}
