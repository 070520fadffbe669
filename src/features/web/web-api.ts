// One request to a search engine's JSON API. Its key is never shown: messages name the address without its query, and
// the engine's error is shown with the key masked.
import { Buffer } from "node:buffer";
import { isJsonObject, type Json } from "../../core/schema/json.ts";
import { failed } from "../../core/tool/base-tool.ts";
import type { Outcome } from "../../core/tool/call.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import { retryAfterSeconds, webFailure, type WebResponse } from "./web-failure.ts";
import { allowedHosts } from "./web-settings.ts";
import { shownLine } from "./web-text.ts";

interface ApiQuestion {
  /** The name in messages, as in "Brave says". */
  readonly engine: string;
  readonly endpoint: URL;
  /** Whether the user wrote the endpoint, which may then be in a private network. */
  readonly isEndpointConfigured: boolean;
  readonly query: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly secret?: string;
  /** Returns the engine's error message from its JSON. */
  messageOf(body: Json): string | undefined;
  /** Returns what to do about it. */
  helpOf(status: number, body: Json): readonly string[];
}

type ApiAnswer =
  | { readonly kind: "answer"; readonly body: Json }
  | { readonly kind: "failed"; readonly outcome: Outcome };

const ANSWER_BYTES_MAX = 4_194_304;
const MESSAGE_CHARACTERS_MAX = 300;

export async function askApi(question: ApiQuestion, context: ToolContext): Promise<ApiAnswer> {
  const url = new URL(question.endpoint);
  const endpoint = `${url.origin}${url.pathname}`;
  for (const [name, value] of Object.entries(question.query)) url.searchParams.set(name, value);
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  const configured = question.isEndpointConfigured ? [`${url.hostname}:${port}`] : [];
  const result = await context.host.web.fetch({
    url: url.href,
    headers: { accept: "application/json", ...question.headers },
    signal: context.signal,
    bytesMax: ANSWER_BYTES_MAX,
    timeoutMs: context.limits.timeoutMs,
    // Redirects are not followed: the key must not reach another host.
    redirectsMax: 0,
    allowedHosts: [...(await allowedHosts(context)), ...configured],
  });
  if (result.kind !== "response") return { kind: "failed", outcome: failed(webFailure(result, endpoint)) };
  const body = parsed(result);
  if (result.status === 200 && isJsonObject(body)) return { kind: "answer", body };
  const help = result.status === 200 ? [] : helpOf(question, result, body);
  return {
    kind: "failed",
    outcome: failed({ kind: "network", url: endpoint, reason: reasonOf(question, result.status, body), help }),
  };
}

function reasonOf(question: ApiQuestion, status: number, body: Json | undefined): string {
  if (status === 200) return `${question.engine} did not answer with JSON results`;
  const said = body === undefined ? undefined : question.messageOf(body);
  const start = `${question.engine} answered with status ${status}`;
  return said === undefined ? start : `${start}: ${masked(shownLine(said, MESSAGE_CHARACTERS_MAX), question.secret)}`;
}

function helpOf(question: ApiQuestion, response: WebResponse, body: Json | undefined): readonly string[] {
  const seconds = response.status === 429 || response.status === 503 ? retryAfterSeconds(response) : undefined;
  return [
    ...question.helpOf(response.status, body ?? null),
    ...(seconds === undefined ? [] : [`try again in ${seconds} s`]),
  ];
}

function masked(text: string, secret: string | undefined): string {
  return secret === undefined ? text : text.replaceAll(secret, "•••");
}

function parsed(response: WebResponse): Json | undefined {
  try {
    return JSON.parse(Buffer.from(response.body).toString("utf8")) as Json;
  } catch {
    return undefined;
  }
}
