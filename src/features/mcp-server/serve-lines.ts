// The server over lines of text, which MCP calls stdio. It ends when its input does.
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { type JsonObject, isJsonObject, type Json } from "../../core/schema/json.ts";
import type { Host } from "../../core/tool/host.ts";
import { openTurnOutput } from "./turn-output.ts";
import { type Lines, lineTransport } from "./line-transport.ts";
import { showsApps } from "./app-names.ts";
import type { McpService } from "./service.ts";
import { toolsPage } from "./list-tools.ts";
import { earlierRevisions, modernRevision, serverCapabilities, serverInfo } from "./server-facts.ts";

interface ServeLinesOptions {
  readonly host: Host;
  readonly lines: Lines;
  /** Calls its argument when all that is ready now has been handled. */
  readonly afterTurn: (work: () => void) => void;
  /** Messages of the client, a line each, that have been answered by another process and must be known. */
  readonly answered?: string | undefined;
  /** Aborts when the program is told to end. */
  readonly signal: AbortSignal;
  /** Reports an odd message of a client to the operator of the server. */
  onTrouble(message: string): void;
}

/**
 * The time in which requests are still answered after the end of the input, which `echo … | dottool mcp` closes at
 * once.
 */
const LAST_ANSWERS_MS = 500;
const LOOK_MS = 20;
/** The time without a request after which the code for the next one is loaded. */
const QUIET_MS = 100;
/** Source: https://www.jsonrpc.org/specification#error_object */
const INTERNAL_ERROR = -32603;

/** Settles when the client has gone or the program is told to end, after open work has been aborted. */
export async function serveLines(
  service: McpService,
  { host, lines, answered, afterTurn, signal, onTrouble }: ServeLinesOptions,
): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const output = openTurnOutput(lines.write, afterTurn);
  const listen: Lines["listen"] = (onText) =>
    lines.listen((text) => {
      service.beginMoment();
      return onText(text);
    });
  const outer = lineTransport({ listen, write: output.write }, ended.resolve);
  service.holdLog = output.hold;
  const sdk = lateServer(service, { host, outer, before: messagesIn(answered ?? ""), onTrouble });
  await outer.start();
  signal.addEventListener("abort", () => ended.resolve(), { once: true });
  if (signal.aborted) ended.resolve();
  await ended.promise;
  const never = new AbortController().signal;
  for (let waitedMs = 0; outer.waiting > 0 && waitedMs < LAST_ANSWERS_MS && !signal.aborted; waitedMs += LOOK_MS)
    await host.sleep(LOOK_MS, never);
  await sdk.close();
  output.flush();
}

function messagesIn(lines: string): readonly JSONRPCMessage[] {
  return lines.split("\n").flatMap((line) => (line.trim() === "" ? [] : [JSON.parse(line) as JSONRPCMessage]));
}

interface LateOptions extends Pick<ServeLinesOptions, "host" | "onTrouble"> {
  readonly outer: Transport;
  /** What came before, and is answered. */
  readonly before: readonly JSONRPCMessage[];
}

/** Answers the first questions itself. All other messages wait for the SDK, in order. */
function lateServer(service: McpService, { host, outer, before, onTrouble }: LateOptions): { close(): Promise<void> } {
  const held: JSONRPCMessage[] = [...before];
  /** Requests that are answered already but that the SDK still has to see. */
  const answered = new Set<unknown>(before.flatMap((message) => ("id" in message ? [message.id] : [])));
  const inner: Transport = {
    start: () => Promise.resolve(),
    send: async (message) => {
      if (!("method" in message) && answered.delete(message.id)) return;
      await outer.send(message);
    },
    close: () => outer.close(),
  };
  outer.onclose = () => inner.onclose?.();
  const quiet = new AbortController();
  let loading: Promise<{ close(): Promise<void> }> | undefined;
  const load = async (): Promise<{ close(): Promise<void> }> => {
    quiet.abort();
    // The SDK's server states the instructions of the offer.
    const [{ startSdk }] = await Promise.all([import("./start-sdk.ts"), service.offer()]);
    // Messages that came in the meantime wait until all earlier ones are done.
    for (let seen: Promise<void> | undefined; seen !== intake; ) await (seen = intake);
    const handle = startSdk(service, { host, transport: inner, onTrouble });
    outer.onmessage = (message) => inner.onmessage?.(message);
    for (const message of held.splice(0)) inner.onmessage?.(message);
    return handle;
  };
  const refuse = async (message: JSONRPCMessage, error: unknown): Promise<void> => {
    onTrouble(`a message could not be handled: ${String(error)}`);
    if ("method" in message && "id" in message)
      await outer.send({
        jsonrpc: "2.0",
        id: message.id,
        error: { code: INTERNAL_ERROR, message: "the server could not handle this request; send it again" },
      });
  };
  const startLoading = (): void => {
    loading ??= load();
    loading
      .catch((error: unknown) => Promise.all(held.splice(0).map((message) => refuse(message, error))))
      .catch(() => undefined);
  };
  // A client that shows pages gets tools for them, which the SDK's server lists.
  let hasPages = before.some((message) => "method" in message && showsApps(capabilitiesIn(message.params)));
  const take = async (message: JSONRPCMessage): Promise<void> => {
    const isRequest = "method" in message && "id" in message;
    hasPages ||= isRequest && message.method === "initialize" && showsApps(capabilitiesIn(message.params));
    const result =
      isRequest && !loading && !(hasPages && message.method === "tools/list")
        ? await earlyAnswer(message as unknown as JsonObject, service).catch(() => undefined)
        : undefined;
    if (!isRequest || !result || message.method === "initialize") held.push(message);
    if (!isRequest) return;
    if (!result) return startLoading();
    if (message.method === "initialize") answered.add(message.id);
    await outer.send({ jsonrpc: "2.0", id: message.id, result } as unknown as JSONRPCMessage);
    if (message.method === "tools/list")
      void host.sleep(QUIET_MS, quiet.signal).then(() => void (quiet.signal.aborted || startLoading()));
  };
  let intake = Promise.resolve();
  // A message that fails does not hold up those after it.
  outer.onmessage = (message) =>
    void (intake = intake
      .then(() => take(message))
      .catch((error: unknown) => refuse(message, error).catch(() => undefined)));
  return {
    close: async () => {
      quiet.abort();
      await intake;
      await (loading ? (await loading).close() : outer.close());
    },
  };
}

// Answers a client's first questions until the SDK is loaded, which takes longer than the rest of the start. The
// answers are the same as the SDK's, which test/mcp/server-stdio.test.ts checks by asking twice.

const REVISION_KEY = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
const SERVER_KEY = "io.modelcontextprotocol/serverInfo";

/** Returns undefined for any other message, and for a malformed one. */
async function earlyAnswer(message: JsonObject, service: McpService): Promise<JsonObject | undefined> {
  const { method, params = {} } = message;
  if (!isJsonObject(params)) return undefined;
  const meta = params["_meta"] ?? {};
  if (
    !isJsonObject(meta) ||
    Object.keys(params).some(
      (key) => !["_meta", "cursor", "protocolVersion", "capabilities", "clientInfo"].includes(key),
    )
  )
    return undefined;
  const isModern = meta[REVISION_KEY] === modernRevision && isJsonObject(meta[CAPABILITIES_KEY]);
  if (!isModern && meta[REVISION_KEY] !== undefined) return undefined;
  if (method === "tools/list" && showsApps(capabilitiesIn(params))) return undefined;
  switch (method) {
    case "initialize":
      return isModern ? undefined : initialized(params, (await service.offer()).instructions);
    case "server/discover":
      return isModern
        ? modern({
            supportedVersions: [modernRevision],
            capabilities: serverCapabilities,
            instructions: (await service.offer()).instructions,
          })
        : undefined;
    case "tools/list": {
      const { cursor } = params;
      const page = cursor === undefined || typeof cursor === "string" ? await toolsPage(service, cursor) : undefined;
      return page && (isModern ? modern(page) : page);
    }
    default:
      return undefined;
  }
}

/** What a client says of itself in `initialize`, or with each request. */
function capabilitiesIn(params: unknown): JsonObject | undefined {
  const { capabilities, _meta: meta } = (params ?? {}) as { readonly capabilities?: Json; readonly _meta?: Json };
  const said = capabilities ?? (isJsonObject(meta ?? null) ? (meta as JsonObject)[CAPABILITIES_KEY] : undefined);
  return isJsonObject(said ?? null) ? (said as JsonObject) : undefined;
}

function initialized(
  { protocolVersion, capabilities, clientInfo }: JsonObject,
  instructions: string,
): JsonObject | undefined {
  const isWhole =
    typeof protocolVersion === "string" &&
    isJsonObject(capabilities) &&
    isJsonObject(clientInfo) &&
    typeof clientInfo["name"] === "string" &&
    typeof clientInfo["version"] === "string";
  if (!isWhole) return undefined;
  return {
    protocolVersion: earlierRevisions.includes(protocolVersion) ? protocolVersion : (earlierRevisions[0] ?? ""),
    capabilities: serverCapabilities,
    serverInfo,
    instructions,
  };
}

function modern(result: Readonly<Record<string, Json>>): JsonObject {
  return { ...result, resultType: "complete", ttlMs: 0, cacheScope: "private", _meta: { [SERVER_KEY]: serverInfo } };
}
