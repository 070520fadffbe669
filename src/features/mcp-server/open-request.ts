// A request of a client that is not answered yet, as methods see it in both eras of the protocol, and what its client
// can be asked.
import { isJsonObject, type JsonObject } from "../../core/schema/json.ts";
import type { ClientRequest } from "../../core/tool/tool.ts";
import { showsApps } from "./app-names.ts";
import { errorCodes, logLevels, metaKeys, type RequestId, type RpcFault } from "./protocol.ts";
import { modernRevision, TASKS_EXTENSION } from "./server-facts.ts";

/** What a client has said of itself: once in `initialize`, or with each request. */
export interface ClientState {
  capabilities: JsonObject;
  /** What is logged below it is not sent. `undefined` is all. */
  logLevel: string | undefined;
  /** The resources whose changes the client wants to hear of, up to 2025-11-25. */
  readonly subscribed: Set<string>;
}

export interface OpenRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  /** Whether it is of the revision 2026-07-28, which has no sessions. */
  readonly isModern: boolean;
  readonly client: ClientState;
  /** The calling client, if there are several: they share the places for running calls. */
  readonly caller: string | undefined;
  /** Aborts when the client no longer waits for the answer. */
  readonly signal: AbortSignal;
  notify(method: string, params: JsonObject): Promise<void>;
  /** Asks the client while the request is open, up to 2025-11-25. Rejects with the client's error. */
  ask(request: ClientRequest, signal: AbortSignal): Promise<JsonObject>;
}

export function newClient(): ClientState {
  return { capabilities: {}, logLevel: undefined, subscribed: new Set() };
}

export function metaOf({ _meta: meta }: JsonObject): JsonObject {
  return isJsonObject(meta) ? meta : {};
}

/**
 * Reads what a request of 2026-07-28 says of its client. Returns undefined for one of an earlier revision, as
 * `initialize` is unless all of it is there.
 */
export function envelopeOf(method: string, params: JsonObject): { client: ClientState } | RpcFault | undefined {
  const meta = metaOf(params);
  if (!Object.hasOwn(meta, metaKeys.revision)) return undefined;
  const fault = envelopeFault(meta);
  if (fault) return method === "initialize" ? undefined : fault;
  const capabilities = meta[metaKeys.capabilities] as JsonObject;
  // Without a level, nothing is sent.
  const level = (meta[metaKeys.logLevel] as string | undefined) ?? "none";
  return { client: { capabilities, logLevel: level, subscribed: new Set() } };
}

function envelopeFault(meta: JsonObject): RpcFault | undefined {
  const { [metaKeys.revision]: revision, [metaKeys.clientInfo]: info, [metaKeys.logLevel]: level } = meta;
  const wrong = (key: string, text: string): RpcFault => ({
    code: errorCodes.invalidParams,
    message: `\`${key}\` in \`_meta\` must be ${text}`,
  });
  if (typeof revision !== "string") return wrong(metaKeys.revision, "a string");
  if (!isJsonObject(meta[metaKeys.capabilities])) return wrong(metaKeys.capabilities, "an object");
  if (info !== undefined && !isJsonObject(info)) return wrong(metaKeys.clientInfo, "an object");
  if (level !== undefined && !logLevels.includes(level))
    return wrong(metaKeys.logLevel, `one of ${logLevels.join(", ")}`);
  if (revision === modernRevision) return undefined;
  return {
    code: errorCodes.unsupportedVersion,
    message: `the revision \`${revision.slice(0, 100)}\` is not known; with \`_meta\`, send ${modernRevision}`,
    data: { supported: [modernRevision], requested: revision },
  };
}

/** Returns the capabilities that a client lacks to answer a request; undefined if it can. */
export function lackedFor(
  { method, params = {} }: Pick<ClientRequest, "method"> & Partial<ClientRequest>,
  { capabilities }: ClientState,
): JsonObject | undefined {
  switch (method) {
    case "elicitation/create": {
      const { elicitation } = capabilities;
      if (params["mode"] === "url")
        return isJsonObject(elicitation) && elicitation["url"] ? undefined : { elicitation: { url: {} } };
      // An empty object comes from revisions with only one way to ask.
      const isForm =
        isJsonObject(elicitation) && (elicitation["form"] !== undefined || elicitation["url"] === undefined);
      return isForm ? undefined : { elicitation: {} };
    }
    case "sampling/createMessage": {
      const { sampling } = capabilities;
      const needsTools = params["tools"] !== undefined || params["toolChoice"] !== undefined;
      if (needsTools) return isJsonObject(sampling) && sampling["tools"] ? undefined : { sampling: { tools: {} } };
      return sampling === undefined ? { sampling: {} } : undefined;
    }
    case "roots/list":
      return capabilities["roots"] === undefined ? { roots: {} } : undefined;
  }
}

/** Whether the client asks for the results of long calls itself: SEP-2663, for the revision 2026-07-28. */
export function knowsTasks({ isModern, client: { capabilities } }: OpenRequest): boolean {
  const { extensions } = capabilities;
  return isModern && isJsonObject(extensions) && extensions[TASKS_EXTENSION] !== undefined;
}

/** Whether the client shows pages of servers. */
export function showsPages({ client }: OpenRequest): boolean {
  return showsApps(client.capabilities);
}

export async function sendLog({ client, notify }: OpenRequest, level: string, text: string): Promise<void> {
  const { logLevel } = client;
  if (logLevel === "none" || (logLevel !== undefined && logLevels.indexOf(level) < logLevels.indexOf(logLevel))) return;
  await notify("notifications/message", { level, data: text, logger: "dottool" });
}
