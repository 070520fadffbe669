// Answers requests over HTTP/1.1 with `node:http`, in terms of the web's Request and Response.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Listening, ListenOptions } from "../../../core/tool/host.ts";

/** The time for headers and for a body; a slower client is answered with 408. */
const HEADERS_MS_MAX = 10_000;
const REQUEST_MS_DEFAULT = 30_000;
const CHECK_MS = 2_000;
const CONNECTIONS_MAX = 2_000;

export async function listen(options: ListenOptions): Promise<Listening> {
  const { requestMsMax = REQUEST_MS_DEFAULT } = options;
  const times = {
    headersTimeout: Math.min(HEADERS_MS_MAX, requestMsMax),
    requestTimeout: requestMsMax,
    connectionsCheckingInterval: Math.min(CHECK_MS, requestMsMax),
  };
  const server = createServer(times, (message, response) => void answer(message, response, options));
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.hostname, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return { port: (server.address() as AddressInfo).port, close: () => close(server) };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Made once, because each error has a stack. */
const closed = new DOMException("This operation was aborted", "AbortError");

async function answer(
  message: IncomingMessage,
  response: ServerResponse,
  { bodyBytesMax, refuse, tooLong, onRequest }: ListenOptions,
): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => gone.abort(closed));
  // An error ends only this connection; `close` follows.
  response.on("error", () => undefined);
  message.on("error", () => undefined);
  try {
    const request = toRequest(message, gone.signal);
    if (!request) return shut(response, 400, "the request has a `Host` or a target that is not an address");
    const refused = await refuse?.(request);
    if (refused) return await send(refused, response, { connection: "close" });
    const body = await readBody(message, bodyBytesMax);
    if (body === undefined && tooLong) return await send(tooLong(request), response, { connection: "close" });
    if (body === undefined) return shut(response, 413, `a body may have at most ${bodyBytesMax} bytes`);
    await send(await onRequest(request, { address: message.socket.remoteAddress ?? "", body }), response);
  } catch {
    if (gone.signal.aborted || response.headersSent) response.destroy();
    else shut(response, 500, "something went wrong in the server");
  }
}

/** Returns undefined if there is more than `bytesMax`. */
async function readBody(message: IncomingMessage, bytesMax: number): Promise<Uint8Array | undefined> {
  if (Number(message.headers["content-length"] ?? 0) > bytesMax) return undefined;
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let sizeBytes = 0;
    message
      .on("data", (chunk: Uint8Array) => {
        sizeBytes += chunk.length;
        if (sizeBytes <= bytesMax) chunks.push(chunk);
        else resolve(undefined);
      })
      .on("end", () => resolve(Buffer.concat(chunks)))
      .on("error", reject)
      .on("close", () => message.complete || reject(closed));
  });
}

/** Returns undefined if two of its parts name its target, or none does: a proxy may have read another one. */
function toRequest(message: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = "GET", url = "/", headers: given, headersDistinct } = message;
  if (!url.startsWith("/") || (headersDistinct["host"]?.length ?? 0) > 1) return undefined;
  const headers = new Headers();
  for (const [name, value] of Object.entries(given))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
  try {
    return new Request(new URL(url, `http://${given.host ?? "localhost"}`), { method, headers, signal });
  } catch {
    return undefined;
  }
}

/** Answers without reading the rest of the request, so the connection ends here. */
function shut(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  response.end(`${text}\n`, () => response.destroy());
}

async function send(
  { status, headers, body }: Response,
  response: ServerResponse,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  response.writeHead(status, { ...Object.fromEntries(headers), ...more });
  if (!body) return void response.end();
  // What is there at once goes out in one piece.
  const late = setImmediate(() => response.flushHeaders());
  const reader = body.getReader();
  response.on("close", () => void reader.cancel().catch(() => undefined));
  for (;;) {
    const { done, value } = await reader.read();
    clearImmediate(late);
    if (done || response.destroyed) break;
    if (!response.write(value)) await drained(response);
  }
  response.end();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      response.off("drain", end).off("close", end);
      resolve();
    };
    response.on("drain", end).on("close", end);
  });
}
