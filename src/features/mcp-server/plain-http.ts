// Calls over HTTP without a protocol: `POST /tools/NAME` with the arguments as JSON, answered with the result as in MCP,
// and the OpenAPI document that describes these. Nobody can be asked, so a call that needs approval is refused, as in
// `dottool exec`.
import { toOpenApi, TOOLS_PATH } from "../dialects/openapi.ts";
import { callTool } from "../../core/run/call-tool.ts";
import type { Session } from "../../core/run/session.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import type { ToolResult } from "../../core/tool/call.ts";
import { isJson } from "../web/http-guard.ts";
import { toCallResult } from "./call-content.ts";
import { hostFor } from "./call-session.ts";
import { serverInfo } from "./server-facts.ts";
import type { McpService } from "./service.ts";

export const OPENAPI_PATH = "/openapi.json";

export function isPlainPath(path: string): boolean {
  return path === OPENAPI_PATH || path.startsWith(TOOLS_PATH);
}

interface PlainOptions {
  readonly service: McpService;
  /** The caller, which shares the places for running calls. */
  readonly client: string;
  readonly body: Uint8Array;
  readonly hasToken: boolean;
  /** Counts the call, if it may run now. */
  mayCall(): boolean;
}

/** Says a refusal of the server in the form of results. */
export async function inPlainForm(refused: Response): Promise<Response> {
  const { error } = (await refused.json()) as { readonly error: { readonly message: string } };
  const asks = refused.headers.get("www-authenticate");
  return problem(refused.status, error.message, asks === null ? {} : { "www-authenticate": asks });
}

/** Answers a request at one of these paths. */
export async function answerPlain(
  request: Request,
  { service, client, body, hasToken, mayCall }: PlainOptions,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  const method = pathname === OPENAPI_PATH ? "GET" : "POST";
  if (request.method !== method)
    return problem(405, `\`${pathname.slice(0, PATH_CHARACTERS_MAX)}\` accepts only ${method}`, { allow: method });
  if (pathname === OPENAPI_PATH) return Response.json(await documentOf(service, hasToken));
  const read = readArguments(request, body);
  if ("refused" in read) return read.refused;
  if (!mayCall()) return problem(429, "too many calls are running; call again in a moment", { "retry-after": "1" });
  const { session, find } = await service.offer();
  const name = nameIn(pathname);
  const call = {
    id: session.host.randomId(),
    tool: find(name)?.definition.name.value ?? name,
    arguments: read.arguments,
  };
  // Not as over MCP, where the client asks its person about each call.
  const own: Session = { ...session, frontEnd: "exec", host: hostFor(client, session.host) };
  const result = await service.track(callTool(call, own, request.signal));
  return Response.json(toCallResult(result, undefined, true), { status: statusOf(result) });
}

const PATH_CHARACTERS_MAX = 200;

function nameIn(pathname: string): string {
  const name = pathname.slice(TOOLS_PATH.length);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

async function documentOf(service: McpService, hasToken: boolean): Promise<JsonObject> {
  const { names, shown, instructions } = await service.offer();
  const { name, version } = serverInfo;
  return toOpenApi(
    (await shown(names)).map((tool) => tool.shown),
    { title: name, version, description: instructions, server: "/", hasToken },
  );
}

function readArguments(
  request: Request,
  body: Uint8Array,
): { readonly arguments: unknown } | { readonly refused: Response } {
  const text = new TextDecoder().decode(body);
  // Also of an empty body: a website may send every other type to this machine without asking it.
  if (!isJson(request.headers))
    return { refused: problem(415, "the body must be `application/json`: the arguments by their names") };
  if (text.trim() === "") return { arguments: {} };
  try {
    return { arguments: JSON.parse(text) };
  } catch (error) {
    return { refused: problem(400, `the body is not JSON: ${error instanceof Error ? error.message : String(error)}`) };
  }
}

/** The statuses of failures that are not the tool's own. */
const statuses: Partial<Record<(ToolResult & { readonly status: "failed" })["failure"]["kind"], number>> = {
  "invalid-arguments": 400,
  denied: 403,
  untrusted: 403,
  "unknown-tool": 404,
  removed: 404,
  busy: 429,
  "too-often": 429,
  crashed: 500,
  timeout: 504,
};
const FAILED = 422;

function statusOf(result: ToolResult): number {
  return result.status === "ok" ? 200 : (statuses[result.failure.kind] ?? FAILED);
}

export function problem(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ content: [{ type: "text", text }], isError: true }, { status, headers });
}
