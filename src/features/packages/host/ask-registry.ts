// Requests to registries of packages, by npm's own libraries: logins, proxies, certificates and second tries are npm's.
// Redirects are followed here: npm's library takes the login along to another port, and follows from https to http, where
// anybody on the way could change the hashes that a registry gives.
import fetchOnce from "make-fetch-happen";
import fetchFrom from "npm-registry-fetch";
import { codeOf } from "../../../core/tool/error-code.ts";
import { PACKAGE_BYTES_MAX } from "./packed-file.ts";

export interface RegistryRequest {
  readonly url: string;
  /** npm's own options: registries, logins, certificates, proxies. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The hash that the answer must have, as npm writes it. Otherwise it fails with `EINTEGRITY`. */
  readonly integrity?: string | undefined;
  readonly method?: "PUT" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The limit of the answer; that of a package if absent. */
  readonly bytesMax?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type RegistryAnswer =
  | { readonly kind: "answer"; readonly bytes: Uint8Array }
  /** `code` is the system's, npm's (`EINTEGRITY`), or `E` and the status (`E404`). */
  | { readonly kind: "failed"; readonly code: string; readonly reason: string };

const TIMEOUT_MS = 60_000;
const RETRY = { retries: 2, factor: 2, minTimeout: 500, maxTimeout: 5_000 };
const USER_AGENT = "dottool";
/** The limit for the whole answer, which may come byte by byte. */
const ANSWER_MS_MAX = 10 * 60_000;
const REDIRECTS_MAX = 20;
const REASON_BYTES_MAX = 64 * 1024;

type Response = Awaited<ReturnType<typeof fetchOnce>>;

/** Returns the registry of a package by npm's options, or npm's own. With a `/` at the end. */
export function pickRegistry(name: string, settings: RegistryRequest["settings"]): string {
  const registry = fetchFrom.pickRegistry(name, settings);
  return registry.endsWith("/") ? registry : `${registry}/`;
}

export async function askRegistry(request: RegistryRequest): Promise<RegistryAnswer> {
  // Without it, the rest of an answer that is too large would still be read.
  const rest = new AbortController();
  try {
    const { signal = rest.signal, bytesMax = PACKAGE_BYTES_MAX } = request;
    const response = await responseTo(request, AbortSignal.any([signal, rest.signal]));
    if (response.status >= 400) return await failureOf(response, request.method ?? "GET");
    return await contentOf(response.body, bytesMax);
  } catch (error) {
    const code = codeOf(error) ?? "EUNKNOWN";
    return { kind: "failed", code, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    rest.abort();
  }
}

async function responseTo({ url, ...request }: RegistryRequest, signal: AbortSignal): Promise<Response> {
  const first = new URL(url);
  let to = { url: first, method: request.method ?? "GET", body: request.body };
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const response = await fetchOnce(to.url.href, { ...optionsFor({ ...request, ...to }, first), signal });
    const location = REDIRECTS.includes(response.status) ? response.headers.get("location") : null;
    if (location === null) return response;
    response.body.resume();
    const next = new URL(location, to.url);
    if (to.url.protocol === "https:" && next.protocol === "http:")
      throw new Error(`it leads from https to http: ${next.href}`);
    const isAsked = response.status === 303 || (to.method === "POST" && response.status < 303);
    to = isAsked ? { url: next, method: "GET", body: undefined } : { ...to, url: next };
  }
  throw new Error(`maximum redirect reached at: ${to.url.href}`);
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

interface Hop extends Pick<RegistryRequest, "settings" | "integrity" | "headers"> {
  readonly url: URL;
  readonly method: string;
  readonly body: string | undefined;
}

/** As `Basic` has it. */
function userInfoOf({ username, password }: URL): string {
  return Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
}

/** The login is that for the first address, and only for its host and port. */
function optionsFor({ url, method, body, settings, integrity, headers }: Hop, first: URL) {
  const { token, auth, cert, key } = first.host === url.host ? fetchFrom.getAuth(first.href, settings) : {};
  const own = first.host === url.host && first.password !== "" ? userInfoOf(first) : undefined;
  const basic = own ?? auth;
  const authorization = token && !own ? `Bearer ${token}` : basic ? `Basic ${basic}` : undefined;
  const { ca, proxy, httpsProxy, noProxy, strictSSL = true } = settings;
  return {
    method,
    ...(body === undefined ? {} : { body }),
    headers: {
      "user-agent": USER_AGENT,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
      ...(authorization === undefined ? {} : { authorization }),
    },
    ...(cert && key ? { cert, key } : {}),
    ...(integrity === undefined ? {} : { integrity }),
    ca,
    proxy: httpsProxy ?? proxy,
    noProxy,
    strictSSL,
    redirect: "manual",
    timeout: TIMEOUT_MS,
    retry: RETRY,
  } as const;
}

/** Returns the failure as npm words it. */
async function failureOf(
  { status, statusText, url, headers, body }: Response,
  method: string,
): Promise<RegistryAnswer> {
  const read = await contentOf(body, REASON_BYTES_MAX);
  const text = read.kind === "answer" ? Buffer.from(read.bytes).toString() : "";
  const needs = status === 401 ? headers.get("www-authenticate") : null;
  if (status === 401 && (/\botp\b/i.test(needs ?? "") || /one-time pass/.test(text)))
    return { kind: "failed", code: "EOTP", reason: "OTP required for authentication" };
  const reason =
    needs === null
      ? `${status} ${statusText} - ${method} ${url}${errorIn(text)}`
      : `Unable to authenticate, need: ${needs}`;
  return { kind: "failed", code: `E${status}`, reason };
}

function errorIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { readonly error?: unknown };
    return typeof error === "string" ? ` - ${error}` : "";
  } catch {
    return "";
  }
}

async function contentOf(body: Response["body"], bytesMax: number): Promise<RegistryAnswer> {
  const late = setTimeout(() => body.destroy(new Error("the answer took too long")), ANSWER_MS_MAX);
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of body) {
      sizeBytes += chunk.length;
      if (sizeBytes > bytesMax) return { kind: "failed", code: "EFBIG", reason: `has more than ${bytesMax} bytes` };
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(late);
  }
  return { kind: "answer", bytes: Buffer.concat(chunks) };
}
