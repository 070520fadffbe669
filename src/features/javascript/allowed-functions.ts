// What the JavaScript of a tool may reach out of the sandbox with, as `@allow` says. Each call is judged like one of
// the tool that does the same: `read_file`, `web_fetch`, or the tool that is called.
import { allowedHosts } from "../web/web-settings.ts";
import type { SandboxFunction } from "./run-sandboxed.ts";
import { INPUT_BYTES_MAX } from "./limits.ts";
import { type Json, type JsonObject, isJsonObject } from "../../core/schema/json.ts";
import { didYouMean } from "../../core/text/suggest.ts";
import type { Content } from "../../core/tool/call.ts";
import type { Allowance, Effect } from "../../core/tool/definition.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { HashAlgorithm, WebMethod } from "../../core/tool/host.ts";
import type { ToolContext } from "../../core/tool/tool.ts";

const FETCH_MS_MAX = 30_000;
const FETCH_MS_MIN = 100;
/** The share of the time of the code in which a server must answer. */
const FETCH_SHARE = 0.8;
const FETCH_BYTES_MAX = 2 * 1024 * 1024;
const HEADERS_MAX = 32;
/** A tool that sends one of the last three has the effect `write`. */
const METHODS: readonly WebMethod[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const WRITING: ReadonlySet<WebMethod> = new Set(["PUT", "PATCH", "DELETE"]);
/** Headers that decide where a request goes, or how it is read. */
const OWN_HEADERS = /^(?:host|connection|content-length|transfer-encoding|upgrade|proxy-.*|te|trailer|expect)$/i;

export function allowedFunctions(
  allows: readonly Allowance[],
  { effects, wallMsMax }: { readonly effects: readonly Effect[]; readonly wallMsMax: number },
  context: ToolContext,
): Readonly<Record<string, SandboxFunction>> {
  const hosts = allows.flatMap((one) => (one.function === "fetch" ? [one.host] : []));
  // A server that does not answer is found out before the time of the code is over, which would not name it.
  const endMs = context.host.nowMs() + wallMsMax * FETCH_SHARE;
  const timeLeft = (): number => Math.max(FETCH_MS_MIN, Math.min(FETCH_MS_MAX, endMs - context.host.nowMs()));
  const tools = allows.flatMap((one) => (one.function === "tools.call" ? [one.tool.value] : []));
  return {
    ...(allows.some((one) => one.function === "crypto") ? cryptoFunctions(context) : {}),
    ...(allows.some((one) => one.function === "fs.readFile")
      ? { "fs.readFile": ([path]: readonly Json[]) => readFile(path, context) }
      : {}),
    ...(hosts.length === 0
      ? {}
      : {
          fetch: ([url, options]: readonly Json[], signal: AbortSignal) =>
            fetchFrom({ hosts, effects }, { url, options, signal, timeoutMs: timeLeft() }, context),
        }),
    ...(tools.length === 0
      ? {}
      : {
          "tools.call": ([name, args]: readonly Json[], signal: AbortSignal) =>
            callOne(tools, { name, args, signal }, context),
        }),
  };
}

/** Returns the text of a file below the working folder, wherever links lead. */
async function readFile(path: Json | undefined, context: ToolContext): Promise<Json> {
  if (typeof path !== "string" || path === "" || path.includes("\0"))
    throw new Error("`fs.readFile` expects the path of a file");
  const { host, cwd } = context;
  const { isAbsolute, relative, resolve, sep } = await import("node:path");
  try {
    const root = await host.files.realPath(cwd);
    const requireInside = (absolute: string): void => {
      const inside = relative(root, absolute);
      if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside))
        throw new Error(`\`${path}\` is not below the working folder`);
    };
    // What is outside is not even looked for.
    requireInside(resolve(root, path));
    const real = await host.files.realPath(resolve(root, path));
    requireInside(real);
    await requirePermission("read_file", { file_path: real }, context);
    const bytes = await host.files.readBytes(real, { offset: 0, lengthMax: INPUT_BYTES_MAX + 1 });
    if (bytes.length > INPUT_BYTES_MAX) throw new Error(`\`${path}\` has more than ${INPUT_BYTES_MAX} bytes`);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
    if (code === undefined) throw error;
    throw new Error(
      code === "ENOENT"
        ? `there is no file \`${path}\``
        : code === "ERR_ENCODING_INVALID_ENCODED_DATA"
          ? `\`${path}\` is not a text in UTF-8`
          : `\`${path}\` cannot be read (${code})`,
    );
  }
}

interface Fetching {
  readonly url: Json | undefined;
  readonly options: Json | undefined;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Returns what a server answers. No redirect is followed, because it may lead to another host. */
async function fetchFrom(
  { hosts, effects }: { readonly hosts: readonly string[]; readonly effects: readonly Effect[] },
  { url, options, signal, timeoutMs }: Fetching,
  context: ToolContext,
): Promise<Json> {
  if (typeof url !== "string" || !URL.canParse(url)) throw new Error("`fetch` expects an address such as https://…");
  const { hostname, port, host, protocol } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") throw new Error(`\`fetch\` takes http and https, not ${protocol}`);
  if (!hosts.some((one) => one === host || (port === "" && one === hostname)))
    throw new Error(`\`fetch\` may not reach \`${host}\`; allowed: ${hosts.join(", ")}`);
  const { method: written = "GET", headers = {}, body } = isJsonObject(options) ? options : {};
  const method = METHODS.find((one) => one === String(written).toUpperCase());
  if (!method) throw new Error(`\`fetch\` takes the methods ${METHODS.join(", ")}`);
  if (WRITING.has(method) && effects.length > 0 && !effects.includes("write"))
    throw new Error(
      `\`fetch\` with ${method} changes something, and the tool has the effects ${effects.join(", ")}: it needs \`write\` in its \`@tags\`, or in \`effects\` of the request that forges it`,
    );
  if (body !== undefined && typeof body !== "string") throw new Error("the body of `fetch` is a text");
  if (body !== undefined && (method === "GET" || method === "HEAD"))
    throw new Error(`\`fetch\` sends no body with ${method}`);
  await requirePermission("web_fetch", { url }, context);
  const result = await context.host.web.fetch({
    url,
    method,
    headers: headersIn(headers),
    ...(body === undefined ? {} : { body }),
    signal,
    bytesMax: FETCH_BYTES_MAX,
    timeoutMs,
    redirectsMax: 0,
    allowedHosts: await allowedHosts(context),
  });
  switch (result.kind) {
    case "response":
      // A part of an answer would be taken for the whole one.
      if (result.isCut)
        throw new Error(`the answer of \`${host}\` has more than ${FETCH_BYTES_MAX} bytes; ask for a part of it`);
      return {
        status: result.status,
        ok: result.status >= 200 && result.status < 300,
        url: result.url,
        headers: result.headers,
        body: new TextDecoder().decode(result.body),
      };
    case "refused":
    case "unreachable":
      throw new Error(`\`${host}\`: ${result.reason}`);
    case "timeout":
      throw new Error(`\`${host}\` did not answer in ${Math.round(result.limitMs / 100) / 10} s`);
    case "cancelled":
      throw new Error("cancelled");
  }
}

function headersIn(given: Json): Readonly<Record<string, string>> {
  if (!isJsonObject(given)) throw new Error("the headers of `fetch` are an object of texts");
  const entries = Object.entries(given);
  const odd = entries.find(
    ([name, value]) =>
      typeof value !== "string" ||
      !/^[A-Za-z0-9-]{1,64}$/.test(name) ||
      OWN_HEADERS.test(name) ||
      /[\r\n\0]/.test(value),
  );
  if (odd || entries.length > HEADERS_MAX) throw new Error(`\`fetch\` does not take the header \`${odd?.[0] ?? "…"}\``);
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

interface Calling {
  readonly name: Json | undefined;
  readonly args: Json | undefined;
  readonly signal: AbortSignal;
}

async function callOne(
  tools: readonly string[],
  { name, args = {}, signal }: Calling,
  context: ToolContext,
): Promise<Json> {
  if (typeof name !== "string" || !tools.includes(name))
    throw new Error(
      `\`tools.call\` may not call \`${String(name)}\`${didYouMean(String(name), tools)}; allowed: ${tools.join(", ")}`,
    );
  if (!isJsonObject(args)) throw new Error("`tools.call` expects the name of a tool and an object of arguments");
  const result = await context.invoke(name, args, { signal, span: context.span });
  if (result.status === "failed") throw new Error(`\`${name}\` failed: ${shortText(result.failure, result.content)}`);
  const data = result.content.find((item) => item.type === "json");
  return data?.value ?? fileFacts(result.content) ?? textIn(result.content);
}

async function requirePermission(tool: string, args: JsonObject, context: ToolContext): Promise<void> {
  const failure = await context.permit?.({ tool, arguments: args });
  if (failure) throw new Error(`not allowed: ${shortText(failure, [])}`);
}

/** Returns what is known of a file that is no text, without its bytes. */
function fileFacts(content: readonly Content[]): Json | undefined {
  for (const item of content) {
    if (item.type === "image") return { mediaType: item.mediaType };
    if (item.type !== "file") continue;
    const { mediaType, sizeBytes, sha256 } = item;
    return { mediaType, sizeBytes, ...(sha256 === undefined ? {} : { sha256 }) };
  }
  return undefined;
}

function textIn(content: readonly Content[]): string {
  return content
    .flatMap((item) => (item.type === "text" ? [item.text] : []))
    .join("\n")
    .replace(/\r?\n$/, "");
}

/** Words a failure for code, which can act on it. The gate words failures for the caller of the tool itself. */
function shortText(failure: Failure, content: readonly Content[]): string {
  switch (failure.kind) {
    case "rejected":
      return failure.reason;
    case "invalid-arguments":
      return failure.issues.map(({ path, message }) => `${path === "" ? "" : `\`${path}\` `}${message}`).join("; ");
    case "denied":
      return failure.verdict.matched.find(({ decision }) => decision !== "allow")?.reason ?? "a person has to allow it";
    case "file":
      return `\`${failure.path}\` (${failure.code})`;
    case "exit":
      return `exit code ${failure.exitCode ?? "none"}: ${textIn(content)}`;
    case "network":
      return failure.reason;
    case "step-failed":
      return `${failure.step}: ${shortText(failure.cause, content)}`;
    case "code-failed":
      return failure.message;
    default:
      return failure.kind;
  }
}

const algorithms: readonly HashAlgorithm[] = ["sha1", "sha256", "sha384", "sha512"];

function cryptoFunctions({ host, repeatable }: ToolContext): Readonly<Record<string, SandboxFunction>> {
  let made = 0;
  const randomHex = (): string =>
    repeatable ? host.sha256(`${repeatable.seed} ${++made}`).slice(0, 32) : host.randomId();
  return {
    "crypto.hash": async ([algorithm, text]) => host.hash(algorithmIn(algorithm), expectedText(text, "crypto.hash")),
    "crypto.hmac": async ([algorithm, key, text]) =>
      host.hash(algorithmIn(algorithm), expectedText(text, "crypto.hmac"), expectedText(key, "crypto.hmac")),
    "crypto.randomUUID": async () => uuidOf(randomHex()),
  };
}

function algorithmIn(value: Json | undefined): HashAlgorithm {
  const written = String(value).toLowerCase().replace(/^sha-/, "sha");
  const algorithm = typeof value === "string" ? algorithms.find((one) => one === written) : undefined;
  if (!algorithm)
    throw new Error(
      `there is no hash \`${String(value)}\`; there are ${algorithms.map((one) => `\`${one}\``).join(", ")}`,
    );
  return algorithm;
}

function expectedText(value: Json | undefined, name: string): string {
  if (typeof value !== "string") throw new Error(`\`${name}\` expects texts`);
  return value;
}

/** RFC 9562, version 4. */
function uuidOf(hex: string): string {
  const variant = "89ab"[Number.parseInt(hex[16] ?? "0", 16) & 3] ?? "8";
  const whole = `${hex.slice(0, 12)}4${hex.slice(13, 16)}${variant}${hex.slice(17)}`;
  return [whole.slice(0, 8), whole.slice(8, 12), whole.slice(12, 16), whole.slice(16, 20), whole.slice(20)].join("-");
}
