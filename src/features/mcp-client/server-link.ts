// A server and its connection: started when it is first needed, shared by all calls of the session, and started again
// after it has died.
import type { CallToolResult } from "@modelcontextprotocol/client";
import { failed } from "../../core/tool/base-tool.ts";
import type { Outcome } from "../../core/tool/call.ts";
import type { Failure } from "../../core/tool/failure.ts";
import { printable } from "../../core/text/display.ts";
import type { Host } from "../../core/tool/host.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import { nearestNames } from "../../core/text/suggest.ts";
import type { RemoteSurroundings } from "../../core/session/tool-source.ts";
import { isSamePin, pinDifference, type PinnedTool, type ServerPins } from "./pin.ts";
import { remoteOutcome } from "./remote-result.ts";
import type { RemoteCall } from "./remote-tool.ts";
import { openConnection, type ServerConnection } from "./server-connection.ts";
import { secretsIn, type ServerTrouble, troubleIn } from "./server-trouble.ts";
import { type McpServer, pinLineOf } from "./server-settings.ts";

interface ServerLinkOptions {
  readonly server: McpServer;
  readonly host: Host;
  readonly era: ServerPins["era"];
  readonly surroundings: RemoteSurroundings;
}

/** What the opener of the session can do for servers. */
const STARTS_MAX = 5;
const BACKOFF_MS = 200;
const BACKOFF_MS_MAX = 3_000;
/** The time for which a server is not started again, after too many failed starts in a row. */
const REST_MS = 60_000;
/** The attempts of a call that may be repeated. */
const ATTEMPTS_MAX = 2;

export class ServerLink {
  readonly #options: ServerLinkOptions;
  /** The waiting calls, the latest last. */
  readonly #waiting: ToolContext[] = [];
  #connection: Promise<ServerConnection> | undefined;
  #failedStarts = 0;
  #lastFailureMs = 0;
  #isEnded = false;

  constructor(options: ServerLinkOptions) {
    this.#options = options;
  }

  async call(call: RemoteCall, context: ToolContext): Promise<Outcome> {
    this.#waiting.push(context);
    try {
      return await this.#tried(call, context);
    } finally {
      this.#waiting.splice(this.#waiting.indexOf(context), 1);
      if (this.#waiting.length === 0) (await this.#open())?.hold(false);
    }
  }

  /** Asks the server for all its tools. Throws errors that `troubleIn` reads. */
  async list(
    context: Pick<ToolContext, "signal" | "hide">,
  ): Promise<{ readonly tools: ReadonlyMap<string, PinnedTool>; readonly era: ServerPins["era"] }> {
    const connection = await this.#connected(context);
    return { tools: await connection.tools(context.signal, "anew"), era: connection.era };
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    await (await this.#open())?.close();
  }

  async #tried(call: RemoteCall, context: ToolContext): Promise<Outcome> {
    for (let attempt = 1; ; attempt++) {
      let isSent = false;
      let connection: ServerConnection | undefined;
      try {
        connection = await this.#connected(context);
        connection.hold(true);
        const changed = this.#changed(call.pin, await connection.tools(context.signal), context);
        if (changed) return failed(changed);
        isSent = true;
        const result: CallToolResult = await connection.call(call, context);
        this.#failedStarts = 0;
        const outcome = remoteOutcome(result, {
          server: this.#options.server.name,
          tool: call.pin.name,
          host: this.#options.host,
          outputBytesMax: context.limits.outputBytesMax,
        });
        return connection.sandbox ? { ...outcome, sandbox: connection.sandbox } : outcome;
      } catch (error) {
        if (context.signal.aborted) return failed({ kind: "cancelled" });
        const trouble = troubleIn(error, { server: this.#options.server.name, connection });
        await context.hide(connection?.secrets ?? secretsIn(error));
        if (trouble.isLost && !trouble.isConnected) this.#forget(connection);
        const mayRepeat =
          trouble.isLost && attempt < ATTEMPTS_MAX && (!isSent || call.isRepeatable || trouble.isUndone === true);
        if (!mayRepeat) return failed(this.#failure(trouble, { isSent, context }));
      }
    }
  }

  #forget(lost: ServerConnection | undefined): void {
    if (lost) void lost.close().catch(() => undefined);
  }

  #changed(pin: PinnedTool, tools: ReadonlyMap<string, PinnedTool>, context: ToolContext): Failure | undefined {
    const { name } = this.#options.server;
    const tool = context.path.at(-1) ?? pin.name;
    const live = tools.get(pin.name);
    if (live && isSamePin(live, pin)) return undefined;
    const near = nearestNames(pin.name, [...tools.keys()])[0];
    if (!live)
      return {
        kind: "unavailable",
        tool,
        reasons: [`the MCP server \`${name}\` no longer has a tool \`${pin.name}\``],
        ...(near === undefined ? {} : { untold: [`it has \`${printable(near)}\``] }),
        help: [pinLineOf(this.#options.server)],
      };
    return {
      kind: "unavailable",
      tool,
      reasons: [`the MCP server \`${name}\` has changed its tool \`${pin.name}\` since a person accepted it`],
      untold: pinDifference(pin, live),
      help: [`to review and accept it: ${pinLineOf(this.#options.server, pin.name)}`],
    };
  }

  #failure(
    { reason, help, isLost, limit, needsLogin }: ServerTrouble,
    { isSent, context }: { readonly isSent: boolean; readonly context: ToolContext },
  ): Failure {
    const { server } = this.#options;
    if (limit) return { kind: "limit", ...limit, help };
    const named = `the MCP server \`${server.name}\``;
    if (!isSent)
      return {
        kind: "unavailable",
        tool: context.path.at(-1) ?? server.name,
        reasons: [`${named} cannot be used: ${reason}`],
        help,
      };
    return {
      kind: "rejected",
      reason: isLost
        ? `the connection to ${named} was lost during the call: ${reason}; the call may or may not have been done`
        : `${named}: ${reason}`,
      // The server lets the earlier login list tools, so `dottool pin` would ask nobody.
      help: needsLogin
        ? [`at a terminal, call it once, and log in when asked: dottool call ${context.path[0] ?? server.name} …`]
        : help,
    };
  }

  async #open(): Promise<ServerConnection | undefined> {
    const connection = await this.#connection?.catch(() => undefined);
    return connection?.isOpen ? connection : undefined;
  }

  async #connected(context: Pick<ToolContext, "signal" | "hide">): Promise<ServerConnection> {
    const open = await this.#open();
    const connection = open ?? (await withSignal((this.#connection = this.#opened(context.signal)), context.signal));
    await context.hide(connection.secrets);
    return connection;
  }

  /** Returns one promise to all callers until the server is open. */
  #opened(signal: AbortSignal): Promise<ServerConnection> {
    if (this.#opening) return this.#opening;
    const opening = this.#openAnew(signal);
    this.#opening = opening;
    const done = (): void => void (this.#opening = undefined);
    opening.then(done, done);
    return opening;
  }

  #opening: Promise<ServerConnection> | undefined;

  async #openAnew(signal: AbortSignal): Promise<ServerConnection> {
    const { server, host, era, surroundings } = this.#options;
    if (this.#isEnded) throw new Error("the program is ending");
    if (this.#failedStarts >= STARTS_MAX) {
      const restMs = REST_MS - (host.nowMs() - this.#lastFailureMs);
      if (restMs > 0)
        throw new Error(
          `it failed to start ${this.#failedStarts} times in a row; the next attempt is in ${Math.ceil(restMs / 1_000)} s`,
        );
    }
    if (this.#failedStarts > 0)
      await host.sleep(Math.min(BACKOFF_MS * 2 ** (this.#failedStarts - 1), BACKOFF_MS_MAX), signal);
    // A start counts as failed until a call has been answered.
    this.#failedStarts++;
    this.#lastFailureMs = host.nowMs();
    return openConnection({ server, host, era, ...surroundings, waiting: () => this.#waiting.at(-1) });
  }
}

/** Rejects when the caller gives up. The start continues for the others. */
async function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const stop = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason), { once: true, signal: stop.signal }),
  );
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stop.abort();
  }
}
