// The methods of the protocol: in which era there are, and what answers them. Handlers load when they are first wanted.
import type { JsonObject } from "../../core/schema/json.ts";
import { listTools } from "./list-tools.ts";
import type { OpenRequest } from "./open-request.ts";
import { errorCodes, failedAnswer, faultOf, metaKeys, ProtocolError, type RpcMessage } from "./protocol.ts";
import { earlierRevisions, modernRevision, serverCapabilities, serverInfo } from "./server-facts.ts";
import type { Method, Served } from "./served.ts";

interface Row {
  /** Absent: in both. */
  readonly era?: "earlier" | "modern";
  /** Whether its results say how long they hold, in 2026-07-28. */
  readonly isCached?: true;
  readonly load: () => Method | Promise<Method>;
}

const prompts = (): Promise<typeof import("./prompt-methods.ts")> => import("./prompt-methods.ts");
const resources = (): Promise<typeof import("./resource-methods.ts")> => import("./resource-methods.ts");
const tasks = (): Promise<typeof import("./task-methods.ts")> => import("./task-methods.ts");

const rows: ReadonlyMap<string, Row> = new Map<string, Row>([
  ["initialize", { era: "earlier", load: () => initialize }],
  ["ping", { era: "earlier", load: () => () => ({}) }],
  ["logging/setLevel", { era: "earlier", load: () => setLevel }],
  ["server/discover", { era: "modern", isCached: true, load: () => discover }],
  ["tools/list", { isCached: true, load: () => listTools }],
  ["tools/call", { load: async () => (await import("./tool-methods.ts")).callTool }],
  ["prompts/list", { isCached: true, load: async () => (await prompts()).listPrompts }],
  ["prompts/get", { load: async () => (await prompts()).getPrompt }],
  ["completion/complete", { load: async () => (await prompts()).complete }],
  ["resources/list", { isCached: true, load: async () => (await resources()).listResources }],
  ["resources/templates/list", { isCached: true, load: async () => (await resources()).listTemplates }],
  ["resources/read", { isCached: true, load: async () => (await resources()).readResource }],
  ["resources/subscribe", { era: "earlier", load: async () => (await resources()).subscribe }],
  ["resources/unsubscribe", { era: "earlier", load: async () => (await resources()).unsubscribe }],
  ["subscriptions/listen", { era: "modern", load: async () => (await import("./subscriptions.ts")).listen }],
  ["tasks/get", { era: "modern", load: async () => (await tasks()).getTask }],
  ["tasks/cancel", { era: "modern", load: async () => (await tasks()).cancelTask }],
  ["tasks/update", { era: "modern", load: async () => (await tasks()).updateTask }],
]);

const loaded = new Map<string, Method>();

async function load(method: string, row: Row): Promise<Method> {
  const answers = await row.load();
  loaded.set(method, answers);
  return answers;
}

function rowOf(method: string, isModern: boolean): Row | undefined {
  const row = rows.get(method);
  return row && (row.era === undefined || (row.era === "modern") === isModern) ? row : undefined;
}

/** Loads what calls need. */
export async function loadCalls(served: Served): Promise<void> {
  const row = rows.get("tools/call");
  await Promise.all([row && load("tools/call", row), served.calls()]);
}

/** Returns the answer to a request; undefined if its client no longer waits for one. */
export async function answerTo(request: OpenRequest, served: Served): Promise<RpcMessage | undefined> {
  const { id, method, isModern, signal } = request;
  try {
    const row = rowOf(method, isModern);
    if (!row)
      throw new ProtocolError(
        errorCodes.unknownMethod,
        `there is no method \`${method.slice(0, 100)}\`${isModern ? ` in the revision ${modernRevision}` : ""}`,
      );
    const result = await (loaded.get(method) ?? (await load(method, row)))(request, served);
    if (signal.aborted) return undefined;
    return { result: isModern ? modernResult(result, row) : result, jsonrpc: "2.0", id };
  } catch (error) {
    return signal.aborted ? undefined : failedAnswer(id, faultOf(error));
  }
}

function modernResult(result: JsonObject, { isCached }: Row): JsonObject {
  const { resultType = "complete", _meta } = result;
  return {
    ...result,
    resultType,
    ...(isCached ? { ttlMs: 0, cacheScope: "private" } : {}),
    _meta: { ...(_meta as JsonObject | undefined), [metaKeys.serverInfo]: serverInfo },
  };
}

async function initialize({ params }: OpenRequest, { service }: Served): Promise<JsonObject> {
  const { protocolVersion } = params;
  return {
    protocolVersion: earlierRevisions.find((one) => one === protocolVersion) ?? earlierRevisions[0] ?? "",
    capabilities: serverCapabilities,
    serverInfo,
    ...(await instructions(service)),
  };
}

async function discover(_request: OpenRequest, { service }: Served): Promise<JsonObject> {
  return { supportedVersions: [modernRevision], capabilities: serverCapabilities, ...(await instructions(service)) };
}

async function instructions(service: Served["service"]): Promise<JsonObject> {
  const { instructions: text } = await service.offer();
  return text === "" ? {} : { instructions: text };
}

function setLevel({ params, client }: OpenRequest): JsonObject {
  client.logLevel = String(params["level"]);
  return {};
}
