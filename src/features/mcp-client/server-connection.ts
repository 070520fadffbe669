// One connection to a server: the SDK's client over our transport, with the server's tools and the values that were
// sent to it.
import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { ownProgramName, ownProgramVersion } from "../../core/text/program-name.ts";
import type { InnerSandbox } from "../../core/tool/call.ts";
import type { Host } from "../../core/tool/host.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import { answerElicitation } from "./elicitation.ts";
import type { OpenLoginPrompt } from "../../core/tool/login-prompt.ts";
import { type LoginSession, openLoggedIn } from "./login-session.ts";
import { PIN_BYTES_MAX, pinnedTool, type PinnedTool, type ServerPins } from "./pin.ts";
import { ProcessTransport } from "./process-transport.ts";
import type { RemoteCall } from "./remote-tool.ts";
import { textsOf } from "./configured-texts.ts";
import type { McpServer } from "./server-settings.ts";
import { type Ended, NotConnected } from "./server-trouble.ts";
import { guardedFetch, type WebTrouble } from "./web-fetch.ts";

interface ConnectionOptions {
  readonly server: McpServer;
  readonly host: Host;
  readonly era: ServerPins["era"];
  readonly canAsk: boolean;
  /** Asks a person to log in. Absent if no person can. */
  readonly openLoginPrompt?: OpenLoginPrompt | undefined;
  /** Returns the user's allowed hosts, the private addresses that a login may lead to. */
  allowedHosts(): Promise<readonly string[]>;
  /** Returns the call that is waiting when the server asks something. */
  waiting(): ToolContext | undefined;
}

export interface ServerConnection extends Ended {
  readonly era: ServerPins["era"];
  /** The secrets that were sent to it. */
  readonly secrets: readonly string[];
  /** What its process runs in, if it has a sandbox. */
  readonly sandbox: InnerSandbox | undefined;
  /** Sets whether the program keeps running while the connection is open. */
  hold(isHeld: boolean): void;
  /**
   * Returns the tools of the server. It is asked the first time, after it has said that they changed, and after
   * `LIST_MS_MAX`.
   */
  tools(signal: AbortSignal, when?: "anew"): Promise<ReadonlyMap<string, PinnedTool>>;
  call(call: RemoteCall, context: ToolContext): Promise<CallToolResult>;
  close(): Promise<void>;
}

/** The time after which a server is asked for its tools again. */
const LIST_MS_MAX = 60_000;
const LIST_PAGES_MAX = 100;
/**
 * The part of its time that an old stdio server may be silent after a question that only new ones know. A new one that
 * starts slowly must not be taken for an old one. Over HTTP, silence does not show an old server.
 */
const PROBE_PART = 1 / 2;
/** A call ends by the gate's own time limit. The SDK's limit comes later. */
const CALL_GRACE_MS = 10_000;
/** A longer timer fires at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;
const INPUT_ROUNDS_MAX = 10;
const LEAVE_MS = 1_000;

/** Throws `NotConnected`. */
export async function openConnection(options: ConnectionOptions): Promise<ServerConnection> {
  const { server, era } = options;
  const mode = era === "legacy" ? "legacy" : "auto";
  if (server.kind === "web") return openLoggedIn(options, server, (session) => opened(options, mode, session));
  if (mode === "legacy") return opened(options, mode);
  try {
    return await opened(options, mode);
  } catch (error) {
    // Some old servers exit at the first message that they do not know.
    if (error instanceof NotConnected && error.ended.hasExited) return opened(options, "legacy");
    throw error;
  }
}

async function opened(
  options: ConnectionOptions,
  mode: "auto" | "legacy",
  session?: LoginSession,
): Promise<ServerConnection> {
  const { server, host } = options;
  const secrets: string[] = session?.secrets ?? [];
  const noticed: Noticed = { waiting: new Set() };
  const transport = await transportOf(server, { ...options, secrets, noticed, session });
  const state: { isOpen: boolean; tools?: ReadonlyMap<string, PinnedTool> | undefined; listedMs: number } = {
    isOpen: true,
    listedMs: 0,
  };
  const own = transport instanceof ProcessTransport ? transport : undefined;
  const ended = (): Ended => ({
    isOpen: state.isOpen,
    end: own?.end,
    hasExited: own?.hasExited === true,
    said: own?.said.lines ?? [],
  });
  const client = clientFor(options, mode, () => void (state.tools = undefined));
  client.onclose = () => void (state.isOpen = false);
  // The code that waits for an answer reports the error. Without such code it does not matter.
  client.onerror = () => undefined;
  try {
    await client.connect(transport, { timeout: server.startMs });
  } catch (error) {
    const last = ended();
    await transport.close();
    if (await session?.finish(transport)) return opened(options, mode, session);
    throw new NotConnected(noticed.trouble ?? error, { ...last, isOpen: last.end === undefined }, secrets);
  }
  const again = <T>(work: () => Promise<T>): Promise<T> => (session ? session.again(transport, work) : work());
  const list = async (signal: AbortSignal): Promise<ReadonlyMap<string, PinnedTool>> => {
    // The SDK would print its note on a server without tools to standard output, beside the results.
    const { tools } = client.getServerCapabilities()?.tools
      ? await again(() => client.listTools(undefined, { signal, timeout: server.startMs, cacheMode: "refresh" }))
      : { tools: [] };
    state.listedMs = host.nowMs();
    return (state.tools = new Map(tools.flatMap((tool) => pinIn(tool)).map((tool) => [tool.name, tool])));
  };
  return {
    get isOpen() {
      return state.isOpen;
    },
    get end() {
      return ended().end;
    },
    get said() {
      return ended().said;
    },
    era: client.getProtocolEra(),
    secrets,
    sandbox: own?.sandbox,
    hold: (isHeld) => own?.hold(isHeld),
    tools: async (signal, when) =>
      when === "anew" || !state.tools || host.nowMs() - state.listedMs > LIST_MS_MAX ? list(signal) : state.tools,
    call: (call, context) => again(() => calledBy(client, call, { context, noticed })),
    close: async () => {
      if (transport instanceof StreamableHTTPClientTransport && state.isOpen) {
        const late = new AbortController();
        await Promise.race([transport.terminateSession().catch(() => undefined), host.sleep(LEAVE_MS, late.signal)]);
        late.abort();
      }
      state.isOpen = false;
      await client.close();
      await session?.close();
    },
  };
}

function clientFor(options: ConnectionOptions, mode: "auto" | "legacy", onChanged: () => void): Client {
  const { server, canAsk, waiting } = options;
  const client = new Client(
    { name: ownProgramName(), version: ownProgramVersion() },
    {
      capabilities: canAsk ? { elicitation: { form: { applyDefaults: true } } } : {},
      versionNegotiation: {
        mode,
        probe: { timeoutMs: server.kind === "web" ? server.startMs : server.startMs * PROBE_PART },
      },
      // The gate checks results against their schema. The SDK's own checker compiles untrusted schemas into programs.
      jsonSchemaValidator: {
        getValidator: () => (data: unknown) => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
      listMaxPages: LIST_PAGES_MAX,
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged } },
      inputRequired: { maxRounds: INPUT_ROUNDS_MAX },
    },
  );
  if (canAsk)
    client.setRequestHandler("elicitation/create", (request) =>
      answerElicitation(request.params, { server: server.name, call: waiting() }),
    );
  return client;
}

async function calledBy(
  client: Client,
  { pin, arguments: args }: RemoteCall,
  { context, noticed }: { readonly context: ToolContext; readonly noticed: Noticed },
): Promise<CallToolResult> {
  const lost = new AbortController();
  const waiting: Waiting = { about: JSON.stringify([pin.name, args]), lose: (trouble) => lost.abort(trouble) };
  noticed.waiting.add(waiting);
  try {
    return await client.callTool(
      { name: pin.name, arguments: { ...args } },
      {
        signal: AbortSignal.any([context.signal, lost.signal]),
        timeout: Math.min(context.limits.timeoutMs + CALL_GRACE_MS, TIMER_MS_MAX),
        onprogress: ({ progress, total, message }) =>
          void context.emit({
            kind: "progress",
            text: message ?? "",
            done: progress,
            ...(total === undefined ? {} : { all: total }),
          }),
      },
    );
  } catch (error) {
    throw lost.signal.aborted ? lost.signal.reason : error;
  } finally {
    noticed.waiting.delete(waiting);
  }
}

/** Returns the pin of a listed tool, or nothing if it is too large or not a tool. */
function pinIn(listed: unknown): readonly PinnedTool[] {
  try {
    const tool = pinnedTool(listed);
    return tool && JSON.stringify(tool).length <= PIN_BYTES_MAX ? [tool] : [];
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** The failures that the web client saw. */
interface Noticed {
  trouble?: WebTrouble;
  /** Calls that have no answer yet. */
  readonly waiting: Set<Waiting>;
}

interface Waiting {
  /** The tool and its arguments as JSON, because the SDK does not expose the id of a request. */
  readonly about: string;
  lose(trouble: WebTrouble): void;
}

function loseCalls(sent: string, trouble: WebTrouble, { waiting }: Noticed): void {
  // A login sends no JSON.
  if (!sent.startsWith("{")) return;
  const { params } = JSON.parse(sent) as { readonly params?: { readonly name?: string; readonly arguments?: unknown } };
  const about = JSON.stringify([params?.name, params?.arguments]);
  for (const call of waiting) if (call.about === about) call.lose(trouble);
}

interface TransportOptions {
  readonly host: Host;
  /** Collects the secrets that were read. */
  readonly secrets: string[];
  readonly noticed: Noticed;
  readonly session: LoginSession | undefined;
  allowedHosts(): Promise<readonly string[]>;
}

async function transportOf(
  server: McpServer,
  { host, secrets, noticed, session, allowedHosts }: TransportOptions,
): Promise<ProcessTransport | StreamableHTTPClientTransport> {
  if (server.kind === "process")
    return new ProcessTransport({
      server,
      host,
      environment: await textsOf(server.environment, { host, secrets }),
      secrets,
    });
  const headers = await textsOf(server.headers, { host, secrets });
  const url = new URL(server.url);
  return new StreamableHTTPClientTransport(url, {
    ...(session ? { authProvider: session.login } : {}),
    fetch: guardedFetch(url, {
      host,
      ...(session
        ? {
            elsewhere: {
              allowedHosts: await allowedHosts(),
              withheld: Object.keys(headers).map((name) => name.toLowerCase()),
            },
          }
        : {}),
      told: (trouble) => void (noticed.trouble = trouble),
      lost: (trouble, sent) => loseCalls(sent, trouble, noticed),
    }),
    requestInit: { headers: { ...headers } },
    reconnectionOptions: {
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 10_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 3,
    },
  });
}
