// The server over lines of text, which MCP calls stdio. It ends when its input does.
import type { Host } from "../../core/tool/host.ts";
import { openConnection } from "./connection.ts";
import { type Lines, lineTransport } from "./line-transport.ts";
import type { RpcMessage } from "./protocol.ts";
import { serve } from "./served.ts";
import type { McpService } from "./service.ts";
import { openTurnOutput } from "./turn-output.ts";

interface ServeLinesOptions {
  readonly host: Host;
  readonly lines: Lines;
  /** Calls its argument when all that is ready now has been handled. */
  readonly afterTurn: (work: () => void) => void;
  /** Messages of the client, a line each, that have been answered by another process and must be known. */
  readonly answered?: string | undefined;
  /** Aborts when the program is told to end. */
  readonly signal: AbortSignal;
}

/**
 * The time in which requests are still answered after the end of the input, which `echo … | dottool mcp` closes at
 * once.
 */
const LAST_ANSWERS_MS = 500;
const LOOK_MS = 20;

/** Settles when the client has gone or the program is told to end, after open work has been aborted. */
export async function serveLines(
  service: McpService,
  { host, lines, answered = "", afterTurn, signal }: ServeLinesOptions,
): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const output = openTurnOutput(lines.write, afterTurn);
  const listen: Lines["listen"] = (onText) =>
    lines.listen((text) => {
      service.beginMoment();
      return onText(text);
    });
  const transport = lineTransport({ listen, write: output.write }, ended.resolve);
  service.holdLog = output.hold;
  const served = serve(service, host);
  const connection = openConnection({ served, outlet: transport });
  for (const line of answered.split("\n")) if (line.trim() !== "") connection.know(JSON.parse(line) as RpcMessage);
  transport.onmessage = connection.take;
  transport.start();
  signal.addEventListener("abort", () => ended.resolve(), { once: true });
  if (signal.aborted) ended.resolve();
  await ended.promise;
  const never = new AbortController().signal;
  for (let waitedMs = 0; transport.waiting > 0 && waitedMs < LAST_ANSWERS_MS && !signal.aborted; waitedMs += LOOK_MS)
    await host.sleep(LOOK_MS, never);
  await served.end();
  await connection.close();
  transport.close();
  output.flush();
}
