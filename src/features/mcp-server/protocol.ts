// The words of the Model Context Protocol that the server uses, in both of its eras. What a client says is read by
// rpc-message.ts; these types are of what it has checked, and of what the server says.
import type { Json, JsonObject } from "../../core/schema/json.ts";

export type RequestId = string | number;

/** A request has an `id` and a `method`, a notification no `id`, and an answer no `method`. */
export interface RpcMessage {
  readonly jsonrpc: "2.0";
  /** `null` in the answer to what cannot be read. */
  readonly id?: RequestId | null;
  readonly method?: string;
  readonly params?: JsonObject;
  readonly result?: JsonObject;
  readonly error?: RpcFault;
}

export interface RpcFault {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonObject;
}

export const errorCodes = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** These are of the revision 2026-07-28. */
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** What a method answers instead of a result. */
export class ProtocolError extends Error {
  readonly code: number;
  readonly data: JsonObject | undefined;

  constructor(code: number, message: string, data?: JsonObject) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export function invalidParams(message: string, data?: JsonObject): ProtocolError {
  return new ProtocolError(errorCodes.invalidParams, message, data);
}

export function missingCapability(requiredCapabilities: JsonObject, message: string): ProtocolError {
  return new ProtocolError(errorCodes.missingCapability, message, { requiredCapabilities });
}

/** Returns the fault for an error of any kind. */
export function faultOf(error: unknown): RpcFault {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ProtocolError)) return { code: errorCodes.internal, message };
  return { code: error.code, message, ...(error.data === undefined ? {} : { data: error.data }) };
}

export function failedAnswer(id: RequestId | null, error: RpcFault): RpcMessage {
  return { jsonrpc: "2.0", id, error };
}

/** The keys of `_meta` that each request of 2026-07-28 has, or its result. */
export const metaKeys = {
  revision: "io.modelcontextprotocol/protocolVersion",
  capabilities: "io.modelcontextprotocol/clientCapabilities",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  logLevel: "io.modelcontextprotocol/logLevel",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscription: "io.modelcontextprotocol/subscriptionId",
} as const;

export const logLevels: readonly Json[] = "debug info notice warning error critical alert emergency".split(" ");

export type ContentBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string }
  | { readonly type: "resource"; readonly resource: JsonObject }
  | ({ readonly type: "resource_link"; readonly uri: string; readonly name: string } & JsonObject);

export type CallToolResult = {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: JsonObject;
  readonly isError?: boolean;
};

export type PromptMessage = { readonly role: "user" | "assistant"; readonly content: ContentBlock };

/** What a call asks its client, by keys of the call. */
export type InputRequests = Readonly<Record<string, { readonly method: string; readonly params: JsonObject }>>;
