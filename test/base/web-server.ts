// Real servers on the loopback interface for the tests of the web: HTTP, HTTPS, and bare TCP for answers that no server
// would give.
import http, { type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import https from "node:https";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { selfSigned } from "./self-signed.ts";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

export interface WebServer {
  readonly port: number;
  /** `127.0.0.1:PORT`, the host to allow. */
  readonly host: string;
  readonly origin: string;
  /** The received requests, in order. */
  readonly seen: readonly SeenRequest[];
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly address?: string;
  readonly port?: number;
  readonly isSecure?: boolean;
}

export type Respond = (request: SeenRequest, response: ServerResponse) => void;

export async function startServer(respond: Respond, options: ServerOptions = {}): Promise<WebServer> {
  const seen: SeenRequest[] = [];
  const listener: RequestListener = (request, response) => {
    void bodyOf(request).then((body) => {
      const one = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body };
      seen.push(one);
      respond(one, response);
    });
  };
  const server =
    options.isSecure === true
      ? https.createServer({ cert: selfSigned.certificate, key: selfSigned.key }, listener)
      : http.createServer(listener);
  return listening(server, seen, options);
}

/** Starts a server. `answer` gets each connection after its first bytes. */
export function startRawServer(answer: (socket: Socket) => void): Promise<WebServer> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => answer(socket));
  });
  return listening(server, [], {});
}

async function listening(server: Server, seen: readonly SeenRequest[], options: ServerOptions): Promise<WebServer> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  const address = options.address ?? "127.0.0.1";
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, address, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    host: `${address}:${port}`,
    origin: `${options.isSecure === true ? "https" : "http"}://${address}:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}
