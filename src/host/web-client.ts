// Fetching with the guard of safety.md: each hop's address is judged, its name resolved and every address of it checked
// before a byte is sent; redirects are followed here and not by a library. One clock runs over everything, so a server
// that drips is stopped as surely as one that is silent. Cookies are never kept.
import { Buffer } from "node:buffer";
import type { WebRequest, WebResult } from "../tool/host.ts";
import { hostAndPort, hostOf, judgeAddress, refusal, type WebRefusal } from "./web-address.ts";
import { readBody, unknownCoding } from "./web-body.ts";
import { exchange, type Answer } from "./web-exchange.ts";
import { locateHost, type ResolveName } from "./web-resolve.ts";
import { unreachable } from "./web-trouble.ts";

export interface ClientOptions {
  readonly resolve: ResolveName;
  readonly authorities?: string;
}

/** What one hop sends. */
interface Hop {
  readonly url: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
/** What a header of the caller must be to go to another origin: everything else may be a credential. */
const HEADERS_FOR_ANYBODY = new Set(["accept", "accept-language", "user-agent"]);
const USER_AGENT = "dottool";

export async function fetchGuarded(request: WebRequest, options: ClientOptions): Promise<WebResult> {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  const timer = setTimeout(abort, request.timeoutMs);
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

/** Absent when the answer is no redirect. */
function nextHop(
  hop: Hop,
  from: URL,
  answer: Answer,
): { readonly kind: "hop"; readonly hop: Hop } | WebRefusal | undefined {
  const location = answer.headers["location"];
  if (!REDIRECT_STATUSES.has(answer.status) || location === undefined) return undefined;
  const text = utf8Of(location);
  if (!URL.canParse(text, from.href)) return refusal(`\`${hostOf(from)}\` redirects to what is no web address`);
  const to = new URL(text, from);
  if (from.protocol === "https:" && to.protocol === "http:") {
    return refusal(
      `\`${hostOf(from)}\` redirects from https to http, where anybody on the way can read and change it`,
      `where that is wanted: fetch \`${to.origin}\` itself`,
    );
  }
  const stays = to.origin === from.origin;
  const keepsBody = hop.body !== undefined && (answer.status === 307 || answer.status === 308);
  if (keepsBody && !stays)
    return refusal(
      `\`${hostOf(from)}\` wants what was sent to it sent to \`${to.origin}\``,
      `where that is wanted: send it to \`${to.origin}\` itself`,
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
      reason: `\`${hostOf(url)}\` packs its answer as \`${unknown}\`, which is not known here`,
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
    ? `\`${hostOf(url)}\` redirects, which is not followed here`
    : `\`${hostOf(url)}\` redirects once more, and ${redirects} redirects are the limit`;
}

function afterRedirects(refused: WebRefusal, redirects: number): WebRefusal {
  return redirects === 0 ? refused : { ...refused, reason: `after a redirect: ${refused.reason}` };
}
