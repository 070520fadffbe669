// One request and its answer, over its own connection to one of the checked addresses. It uses `node:http`, not undici
// or the global fetch: it is in the runtime (undici takes longer to load than a page to fetch), gets the addresses
// through `lookup` in Node and Deno, and uses a proxy only if its agent is told to. None is used here, because the
// address behind a proxy cannot be checked.
import { Buffer } from "node:buffer";
import http from "node:http";
import https from "node:https";
import type { LookupFunction, Socket } from "node:net";
import { acceptedCodings } from "./web-body.ts";
import type { WebMethod } from "../../../core/tool/host.ts";
import type { HostAddress } from "./web-resolve.ts";
import { HEADER_BYTES_MAX } from "./web-trouble.ts";

interface ExchangeRequest {
  readonly url: URL;
  readonly addresses: readonly HostAddress[];
  readonly method: WebMethod;
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Certificates in PEM, instead of the runtime's authorities. */
  readonly authorities?: string;
}

export interface Answer {
  readonly status: number;
  /** Headers with lower-case names. The values of a repeated header are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection, whether or not the body was read. */
  close(): void;
}

/** Headers of the connection or the transport, which callers must not set. */
const TRANSPORT_HEADERS = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "accept-encoding",
  "upgrade",
  "te",
  "trailer",
  "expect",
  "keep-alive",
]);

/** Throws the errors of the network and the HTTP parser, and any error if `signal` is aborted. */
export function exchange(request: ExchangeRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.signal.throwIfAborted();
    const secure = request.url.protocol === "https:";
    const sent = (secure ? https : http).request(request.url, {
      method: request.method,
      headers: headersOf(request),
      // A new connection every time: a reused one could go to an address that was checked for another name.
      agent: secure ? new https.Agent({ keepAlive: false }) : new http.Agent({ keepAlive: false }),
      lookup: lookupIn(request.addresses),
      maxHeaderSize: HEADER_BYTES_MAX,
      insecureHTTPParser: false,
      // Set here so that NODE_TLS_REJECT_UNAUTHORIZED does not disable it.
      rejectUnauthorized: true,
      ...(request.authorities === undefined ? {} : { ca: request.authorities }),
    });
    const abort = (): void => void sent.destroy(abortError());
    request.signal.addEventListener("abort", abort, { once: true });
    sent.on("close", () => request.signal.removeEventListener("abort", abort));
    sent.on("error", reject);
    sent.on("socket", (socket) => socket.once("connect", () => refuseOthers(socket, request.addresses)));
    sent.on("response", (response) => {
      resolve({
        status: response.statusCode ?? 0,
        headers: joined(response.headers),
        body: response,
        close: () => void sent.destroy(),
      });
    });
    sent.end(request.body);
  });
}

function headersOf(request: ExchangeRequest): Record<string, string> {
  const chosen = Object.entries(request.headers).filter(([name]) => !TRANSPORT_HEADERS.has(name));
  return {
    ...Object.fromEntries(chosen),
    "accept-encoding": acceptedCodings,
    connection: "close",
    ...(request.body === undefined ? {} : { "content-length": String(Buffer.byteLength(request.body)) }),
  };
}

function lookupIn(addresses: readonly HostAddress[]): LookupFunction {
  return (_name, options, callback) => {
    const first = addresses[0];
    if (options.all === true || first === undefined) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

/** Checks the connected address again, in case a runtime uses another resolver than `lookup`. */
function refuseOthers(socket: Socket, addresses: readonly HostAddress[]): void {
  const peer = socket.remoteAddress;
  if (peer !== undefined && !addresses.some(({ address }) => canonical(address) === canonical(peer)))
    socket.destroy(new Error(`connected to ${peer}, which was not checked`));
}

function canonical(address: string): string {
  const host = address.includes(":") ? `[${address.split("%", 1)[0]}]` : address;
  return URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : address;
}

function joined(headers: http.IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}

function abortError(): Error {
  return Object.assign(new Error("aborted"), { code: "ABORT_ERR" });
}
