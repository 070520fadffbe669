// The server over lines of text, which MCP calls stdio. It ends when its input does.
import type { Host } from "../../core/tool/host.ts";
import { openConnection } from "./connection.ts";
import { type Lines, lineTransport } from "./line-transport.ts";
import type { RpcMessage } from "./protocol.ts";
import { serve } from "./served.ts";
import type { McpService } from "./service.ts";
import type { AuditLog } from "../../core/policy/audit-log.ts";

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

// What a turn of the event loop causes is written at its end: first the log of calls, then the answers. So many answers
// cost one write, and no client has an answer to a call that is not logged.

interface TurnOutput extends Pick<Lines, "write"> {
  /** Writes the lines of this log at the end of turns. */
  hold(log: AuditLog): void;
  /** Writes all now. */
  flush(): void;
}

/** `afterTurn` calls its argument at the end of the turn. */
export function openTurnOutput(write: Lines["write"], afterTurn: (work: () => void) => void): TurnOutput {
  const logged = new Map<AuditLog, string>();
  let text = "";
  let isDue = false;
  /** Set while the reader is slow. A promise for each turn would keep all of its calls in memory until its end. */
  let slow: Promise<void> | undefined;
  const flush = (): void => {
    isDue = false;
    for (const [log, lines] of logged) log.append(lines);
    logged.clear();
    const whole = text;
    text = "";
    const wait = whole === "" ? undefined : write(whole);
    if (!wait) return;
    const goOn = (): void => void (slow = undefined);
    slow = wait.then(goOn, goOn);
  };
  const flushAtEnd = (): void => {
    if (isDue) return;
    isDue = true;
    afterTurn(flush);
  };
  return {
    hold: (log) => {
      log.later ??= (line) => {
        logged.set(log, (logged.get(log) ?? "") + line);
        flushAtEnd();
      };
    },
    write: (more) => {
      text += more;
      flushAtEnd();
      return slow;
    },
    flush,
  };
}
