// The methods of the protocol: their era, what they expect, and what answers them, which loads when first wanted.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import { listTools } from "./tool-methods.ts";
import type { OpenRequest } from "./open-request.ts";
import {
  errorCodes,
  failedAnswer,
  faultOf,
  invalidParams,
  logLevels,
  metaKeys,
  ProtocolError,
  type RpcMessage,
} from "./protocol.ts";
import { earlierRevisions, modernRevision, serverCapabilities, serverInfo } from "./server-facts.ts";
import type { Method, Served } from "./served.ts";

interface Row {
  /** Absent: in both. */
  readonly era?: "earlier" | "modern";
  readonly params?: readonly Rule[];
  /** Whether its results say how long they hold, in 2026-07-28. */
  readonly isCached?: true;
  readonly load: () => Method | Promise<Method>;
}

/** What a parameter must be, in words. */
interface Rule {
  readonly key: string;
  readonly must: string;
  isSo(value: unknown): boolean;
}

const isText = (value: unknown): boolean => typeof value === "string";
const text = (key: string): Rule => ({ key, must: "be a string", isSo: isText });
const object = (key: string, ...texts: readonly string[]): Rule => ({
  key,
  must: `be an object${texts.length === 0 ? "" : ` with ${texts.map((one) => `the string \`${one}\``).join(" and ")}`}`,
  isSo: (value) => isJsonObject(value) && texts.every((one) => isText(value[one])),
});
const cursor: Rule = {
  key: "cursor",
  must: "be the string from the previous page; leave it out to start over",
  isSo: (value) => value === undefined || isText(value),
};
const promptArguments: Rule = {
  key: "arguments",
  must: "be an object of strings",
  isSo: (value) => value === undefined || (isJsonObject(value) && Object.values(value).every(isText)),
};
const level: Rule = {
  key: "level",
  must: `be one of ${logLevels.join(", ")}`,
  isSo: (value) => logLevels.includes(value as Json),
};
const hello = [text("protocolVersion"), object("capabilities"), object("clientInfo", "name", "version")];
const completed = [object("ref", "type"), object("argument", "name", "value")];
const list = { params: [cursor], isCached: true } as const;
const uri = [text("uri")];

const prompts = (): Promise<typeof import("./prompt-methods.ts")> => import("./prompt-methods.ts");
const resources = (): Promise<typeof import("./resource-methods.ts")> => import("./resource-methods.ts");
const tasks = (): Promise<typeof import("./task-methods.ts")> => import("./task-methods.ts");

const rows: ReadonlyMap<string, Row> = new Map<string, Row>([
  ["initialize", { era: "earlier", params: hello, load: () => initialize }],
  ["ping", { era: "earlier", load: () => () => ({}) }],
  ["logging/setLevel", { era: "earlier", params: [level], load: () => setLevel }],
  ["server/discover", { era: "modern", isCached: true, load: () => discover }],
  ["tools/list", { ...list, load: () => listTools }],
  ["tools/call", { params: [text("name")], load: async () => (await import("./tool-methods.ts")).callTool }],
  ["prompts/list", { ...list, load: async () => (await prompts()).listPrompts }],
  ["prompts/get", { params: [text("name"), promptArguments], load: async () => (await prompts()).getPrompt }],
  ["completion/complete", { params: completed, load: async () => (await prompts()).complete }],
  ["resources/list", { ...list, load: async () => (await resources()).listResources }],
  ["resources/templates/list", { ...list, load: async () => (await resources()).listTemplates }],
  ["resources/read", { params: uri, isCached: true, load: async () => (await resources()).readResource }],
  ["resources/subscribe", { era: "earlier", params: uri, load: async () => (await resources()).subscribe }],
  ["resources/unsubscribe", { era: "earlier", params: uri, load: async () => (await resources()).unsubscribe }],
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

/** Returns the answer to a request; undefined if its client no longer waits for one. */
export async function answerTo(request: OpenRequest, served: Served): Promise<RpcMessage | undefined> {
  const { id, method, params, isModern, signal } = request;
  try {
    const row = rowOf(method, isModern);
    if (!row)
      throw new ProtocolError(
        errorCodes.unknownMethod,
        `there is no method \`${method.slice(0, 100)}\`${isModern ? ` in the revision ${modernRevision}` : ""}`,
      );
    const broken = row.params?.find(({ key, isSo }) => !isSo(params[key]));
    if (broken) throw invalidParams(`\`${broken.key}\` must ${broken.must}`);
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
  const { instructions: said } = await service.offer();
  return said === "" ? {} : { instructions: said };
}

function setLevel({ params, client }: OpenRequest): JsonObject {
  client.logLevel = String(params["level"]);
  return {};
}
