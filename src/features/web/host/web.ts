// The web for tools: HTTP with an address guard (web-address.ts, web-resolve.ts). It loads node:http and node:https, so
// node-host.ts loads it late. The address of each hop is checked, its name resolved and every result checked before a
// byte is sent; redirects are followed here and not by a library. One time limit covers everything, so that a slow
// server is stopped like a silent one. Cookies are never stored.
import type { HostWeb, WebMethod, WebRequest, WebResult } from "../../../core/tool/host.ts";
import { type ResolveName, locateHost, resolveBySystem } from "./web-resolve.ts";
import { Buffer } from "node:buffer";
import { type WebRefusal, hostAndPort, hostOf, judgeAddress, refusal } from "./web-address.ts";
import { readBody, unknownCoding } from "./web-body.ts";
import { type Answer, exchange } from "./web-exchange.ts";
import { unreachable } from "./web-trouble.ts";

export interface WebOptions {
  /** Resolves names; absent: the resolver of the operating system. */
  readonly resolve?: ResolveName;
  /** PEM certificates to trust instead of the runtime's. */
  readonly authorities?: string;
}

export function createWeb(options: WebOptions = {}): HostWeb {
  const client = { resolve: resolveBySystem, ...options };
  return { fetch: (request) => fetchGuarded(request, client) };
}

interface ClientOptions {
  readonly resolve: ResolveName;
  readonly authorities?: string;
}

interface Hop {
  readonly url: string;
  readonly method: WebMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
/** The caller's headers that may go to another origin: all others may be credentials. */
const HEADERS_FOR_ANYBODY = new Set(["accept", "accept-language", "user-agent"]);
const USER_AGENT = "dottool";
/** A longer timer fires at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

async function fetchGuarded(request: WebRequest, options: ClientOptions): Promise<WebResult> {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  const timer = setTimeout(abort, Math.min(request.timeoutMs, TIMER_MS_MAX));
  request.signal.addEventListener("abort", abort, { once: true });
  try {
    if (request.signal.aborted) return { kind: "cancelled" };
    return await follow({ ...request, signal: stop.signal }, options);
  } catch (error) {
    if (request.signal.aborted) return { kind: "cancelled" };
    if (stop.signal.aborted) return { kind: "timeout", limitMs: request.timeoutMs };
    throw error;
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener("abort", abort);
  }
}

async function follow(request: WebRequest, options: ClientOptions): Promise<WebResult> {
  let hop = firstHop(request);
  for (let redirects = 0; ; redirects++) {
    const target = judgeAddress(hop.url, request.allowedHosts);
    if (target.kind === "refused") return afterRedirects(target, redirects);
    const place = await locateHost(target, options.resolve, request.signal);
    if (place.kind === "refused") return afterRedirects(place, redirects);
    if (place.kind === "unreachable") return place;
    try {
      const answer = await exchange({
        ...options,
        ...hop,
        url: target.url,
        addresses: place.addresses,
        signal: request.signal,
      });
      try {
        const next = nextHop(hop, target.url, answer);
        if (next === undefined) return await responseOf(answer, target.url, request);
        if (next.kind === "refused") return next;
        if (redirects === request.redirectsMax) return refusal(tooMany(target.url, redirects));
        hop = next.hop;
      } finally {
        answer.close();
      }
    } catch (error) {
      request.signal.throwIfAborted();
      return unreachable(error, hostAndPort(target.url));
    }
  }
}

function firstHop(request: WebRequest): Hop {
  const headers = Object.fromEntries(
    Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return {
    url: request.url,
    method: request.method ?? "GET",
    headers: { "user-agent": USER_AGENT, accept: "*/*", ...headers },
    ...(request.body === undefined ? {} : { body: request.body }),
  };
}

/** Returns undefined if the answer is not a redirect. */
function nextHop(
  hop: Hop,
  from: URL,
  answer: Answer,
): { readonly kind: "hop"; readonly hop: Hop } | WebRefusal | undefined {
  const location = answer.headers["location"];
  if (!REDIRECT_STATUSES.has(answer.status) || location === undefined) return undefined;
  const text = utf8Of(location);
  if (!URL.canParse(text, from.href))
    return refusal(`\`${hostOf(from)}\` redirects to something that is not a web address`);
  const to = new URL(text, from);
  if (from.protocol === "https:" && to.protocol === "http:") {
    return refusal(
      `\`${hostOf(from)}\` redirects from https to http, which others on the network can read and change`,
      `if you want that, fetch \`${to.origin}\` itself`,
    );
  }
  const stays = to.origin === from.origin;
  const keepsBody = hop.body !== undefined && (answer.status === 307 || answer.status === 308);
  if (keepsBody && !stays)
    return refusal(
      `\`${hostOf(from)}\` redirects the request and its body to \`${to.origin}\``,
      `if you want that, send it to \`${to.origin}\` itself`,
    );
  const headers = Object.entries(hop.headers).filter(
    ([name]) => (stays || HEADERS_FOR_ANYBODY.has(name)) && (keepsBody || name !== "content-type"),
  );
  return {
    kind: "hop",
    hop: {
      url: to.href,
      method: keepsBody ? hop.method : "GET",
      headers: Object.fromEntries(headers),
      ...(keepsBody ? { body: hop.body } : {}),
    },
  };
}

async function responseOf(answer: Answer, url: URL, { bytesMax, onBody, onHead }: WebRequest): Promise<WebResult> {
  const contentEncoding = answer.headers["content-encoding"] ?? "";
  const unknown = unknownCoding(contentEncoding);
  if (unknown !== undefined)
    return {
      kind: "unreachable",
      reason: `\`${hostOf(url)}\` compresses its answer as \`${unknown}\`, which is not supported`,
      help: [],
    };
  const { status, headers } = answer;
  onHead?.({ status, headers });
  const body = await readBody(answer.body, {
    contentEncoding,
    bytesMax,
    ...(onBody ? { onBytes: (bytes) => onBody(bytes, { status, headers }) } : {}),
  });
  return { kind: "response", status, url: url.href, headers, body: body.bytes, isCut: body.isCut };
}

/** Header values arrive as Latin-1, and servers send addresses in UTF-8. */
function utf8Of(headerValue: string): string {
  const text = Buffer.from(headerValue, "latin1").toString("utf8");
  return text.includes("\u{FFFD}") ? headerValue : text;
}

function tooMany(url: URL, redirects: number): string {
  return redirects === 0
    ? `\`${hostOf(url)}\` redirects, and redirects are not followed here`
    : `\`${hostOf(url)}\` redirects again; the limit is ${redirects} redirects`;
}

function afterRedirects(refused: WebRefusal, redirects: number): WebRefusal {
  return redirects === 0 ? refused : { ...refused, reason: `after a redirect: ${refused.reason}` };
}
