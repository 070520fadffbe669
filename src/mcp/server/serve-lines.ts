// The server over lines of text, which is what MCP calls stdio. Ends when its input does.
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type Lines, lineTransport } from "./line-transport.ts";
import { makeLastingServer } from "./make-server.ts";
import type { McpService } from "./service.ts";

export interface ServeLinesOptions {
  readonly lines: Lines;
  /** Aborts: the program is told to end. */
  readonly signal: AbortSignal;
  /** Something odd about what a client sent, for whoever looks after the server. */
  onTrouble(message: string): void;
  sleep(delayMs: number): Promise<void>;
}

/** What was asked before the input ended is answered if that takes no longer: `echo … | dottool mcp` closes it at once. */
const LAST_ANSWERS_MS = 500;
const LOOK_MS = 20;

/** Settles when the client is gone or the program is told to end; what is still under way has been aborted then. */
export async function serveLines(service: McpService, { lines, signal, onTrouble, sleep }: ServeLinesOptions): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const transport = lineTransport(lines, ended.resolve);
  const handle = serveStdio(() => makeLastingServer(service), { transport, onerror: (error) => onTrouble(error.message) });
  signal.addEventListener("abort", () => ended.resolve(), { once: true });
  if (signal.aborted) ended.resolve();
  await ended.promise;
  for (let waitedMs = 0; transport.waiting > 0 && waitedMs < LAST_ANSWERS_MS && !signal.aborted; waitedMs += LOOK_MS) await sleep(LOOK_MS);
  service.held.abandonAll();
  await handle.close();
}
