// Helpers for the tests of the web: a request with the usual limits to a server of the test, and its answer in short.
import type { WebRequest, WebResult } from "../../src/core/tool/host.ts";
import { createWeb, type WebOptions } from "../../src/features/web/host/web.ts";
import { startRawServer, startServer, type Respond, type ServerOptions, type WebServer } from "../base/web-server.ts";

export interface Wanted extends Partial<WebRequest> {
  readonly web?: WebOptions;
}

/** Fetches. The host of `url` is allowed unless a test says otherwise. */
export function fetch(url: string, wanted: Wanted = {}): Promise<WebResult> {
  const { web, ...request } = wanted;
  const allowedHosts = URL.canParse(url) ? [new URL(url).host] : [];
  return createWeb(web).fetch({
    url,
    signal: new AbortController().signal,
    bytesMax: 100_000,
    timeoutMs: 10_000,
    redirectsMax: 5,
    allowedHosts,
    ...request,
  });
}

/** Returns status and text of an answer, or the whole failure. */
export function brief(result: WebResult): unknown {
  return result.kind === "response"
    ? [result.status, Buffer.from(result.body).toString(), result.isCut ? "cut" : "whole"]
    : result;
}

/** Starts a server, uses it, and closes it. */
export async function serving<T>(
  respond: Respond,
  use: (server: WebServer) => Promise<T>,
  options: ServerOptions = {},
): Promise<T> {
  const server = await startServer(respond, options);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

/** Returns the result for an answer that is written byte by byte. */
export async function rawAnswer(
  bytes: string | Uint8Array,
  then: "end" | "reset" | "hold",
  wanted: Wanted = {},
): Promise<unknown> {
  const server = await startRawServer((socket) => {
    socket.write(bytes, () => {
      if (then === "end") socket.end();
      if (then === "reset") socket.resetAndDestroy();
    });
  });
  try {
    return withoutPort(brief(await fetch(`${server.origin}/`, wanted)), server.port);
  } finally {
    await server.close();
  }
}

/** Returns the value with `:PORT` for the port, which varies between runs. */
export function withoutPort(value: unknown, port: number): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(`:${port}`, ":PORT"));
}

/** The server, after `withoutPort`. */
export const localhost = "127.0.0.1:PORT";
