// The proxy of a sandbox that may reach named hosts. It runs outside and judges each connection by the host that it
// names; the relay within passes connections on through one open channel.
import { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, request as requestOf, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { Duplex } from "node:stream";
import { specialRange } from "../../../core/host/address-ranges.ts";
import type { StandIns } from "./stand-ins.ts";
import { resolveBySystem } from "../../web/host/web-resolve.ts";
import { ruleNaming, USUAL_PORTS } from "./blocked.ts";

const HEAD = 9;
/** A read of a socket is at most 64 KiB. More does not come from our relay, and would fill the memory. */
const FRAME_BYTES_MAX = 1024 * 1024;
const CONNECTIONS_MAX = 1_000;
const REFUSED_MAX = 20;

interface FilteringProxy {
  /** Serves the connections that come through the channel. */
  attach(channel: Duplex): void;
  /** The system's code of why the program did not start. */
  failure(): string | undefined;
  /** The hosts that were refused, as the rules that would allow them. */
  refused(): readonly string[];
  close(): void;
}

/** As a `Confinement` has them. */
interface Reachable {
  readonly hosts: readonly string[];
  readonly isPublicOnly?: boolean;
}

export function openProxy({ hosts, isPublicOnly = false }: Reachable, standIns?: StandIns): FilteringProxy {
  const connections = new Map<number, Relayed>();
  const outgoing = new Set<Duplex>();
  const refused = new Set<string>();
  const rules = { hosts, isPublicOnly, outgoing, refused, standIns };
  let failure: string | undefined;
  let channel: Duplex | undefined;
  const server = createServer((request, response) => void forward(request, response, rules));
  server.on(
    "connect",
    (request: IncomingMessage, socket: Duplex, first: Buffer) => void tunnel(request, { socket, first }, rules),
  );
  server.on("clientError", (_error, socket) => void socket.destroy());
  const take = (id: number, kind: number, bytes: Buffer): void => {
    if (id === 0) {
      failure = bytes.toString("latin1");
      return;
    }
    let connection = connections.get(id);
    if (!connection && kind === 0 && channel && connections.size < CONNECTIONS_MAX) {
      connection = new Relayed(channel, id);
      connection.on("close", () => void connections.delete(id));
      connection.on("error", () => undefined);
      connections.set(id, connection);
      server.emit("connection", connection);
    }
    connection?.receive(kind, bytes);
  };
  return {
    attach: (opened) => {
      channel = opened;
      opened.on("error", () => undefined);
      let pending = Buffer.alloc(0);
      opened.on("data", (bytes: Buffer) => {
        pending = Buffer.concat([pending, bytes]);
        if (pending.length >= HEAD && pending.readUInt32LE(5) > FRAME_BYTES_MAX) return void opened.destroy();
        while (pending.length >= HEAD && pending.length >= HEAD + pending.readUInt32LE(5)) {
          const end = HEAD + pending.readUInt32LE(5);
          take(pending.readUInt32LE(0), pending.readUInt8(4), pending.subarray(HEAD, end));
          pending = pending.subarray(end);
        }
      });
    },
    failure: () => failure,
    refused: () => [...refused],
    close: () => {
      for (const one of [...connections.values(), ...outgoing]) one.destroy();
      channel?.destroy();
      server.close();
    },
  };
}

/** A connection to the relay within the sandbox. */
class Relayed extends Duplex {
  readonly #channel: Duplex;
  readonly #id: number;

  constructor(channel: Duplex, id: number) {
    super({ allowHalfOpen: true });
    this.#channel = channel;
    this.#id = id;
  }

  /** Reads no more of any connection while this one has too much. */
  receive(kind: number, bytes: Buffer): void {
    if (kind === 2) this.destroy();
    else if (kind === 1) this.push(null);
    else if (!this.push(Buffer.from(bytes))) this.#channel.pause();
  }

  override _read(): void {
    this.#channel.resume();
  }

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.#send(0, bytes, done);
  }

  override _final(done: () => void): void {
    this.#send(1, Buffer.alloc(0), done);
  }

  override _destroy(_error: Error | null, done: (error: Error | null) => void): void {
    this.#send(2, Buffer.alloc(0), () => undefined);
    this.#channel.resume();
    done(null);
  }

  #send(kind: number, bytes: Buffer, done: () => void): void {
    if (this.#channel.destroyed) return done();
    const head = Buffer.alloc(HEAD);
    head.writeUInt32LE(this.#id, 0);
    head.writeUInt8(kind, 4);
    head.writeUInt32LE(bytes.length, 5);
    if (this.#channel.write(Buffer.concat([head, bytes]))) done();
    else this.#channel.once("drain", done);
  }
}

interface Rules extends Required<Reachable> {
  readonly outgoing: Set<Duplex>;
  readonly refused: Set<string>;
  readonly standIns?: StandIns | undefined;
}

interface Target {
  readonly name: string;
  readonly port: number;
}

/** Returns the rule that allows the host, if there is one. */
function ruleFor({ name, port }: Target, hosts: readonly string[]): string | undefined {
  const host = name.toLowerCase().replace(/\.$/, "");
  return hosts.find((rule) => {
    const [, pattern = "", only] = /^(.*?)(?::(\d+))?$/.exec(rule.toLowerCase()) ?? [];
    if (only === undefined ? !USUAL_PORTS.includes(port) : Number(only) !== port) return false;
    return pattern === "*" || pattern === host || (pattern.startsWith("*.") && host.endsWith(pattern.slice(1)));
  });
}

/** Returns the address to connect to, or why there is none. A private one must be named with its port. */
async function locate(
  target: Target,
  { hosts, isPublicOnly, refused }: Rules,
): Promise<{ readonly address: string } | string> {
  const rule = ruleFor(target, hosts);
  const exact = `${target.name.toLowerCase()}:${target.port}`;
  const refuse = (named: string | undefined): void => {
    if (named !== undefined && refused.size < REFUSED_MAX) refused.add(named);
  };
  // The name is not looked up: a name that is asked for can carry data outside.
  if (rule === undefined) {
    refuse(ruleNaming(target.name, target.port));
    return `\`${target.name}:${target.port}\` is not among the hosts that this command may reach: ${hosts.join(", ")}`;
  }
  try {
    const found = await resolveBySystem(target.name);
    const isExact = !isPublicOnly && hosts.some((one) => one.toLowerCase() === exact);
    const odd = isExact ? undefined : found.find(({ address }) => specialRange(address) !== undefined);
    if (odd) {
      refuse(exact);
      return `\`${target.name}\` is ${odd.address}, a ${specialRange(odd.address)} address; ${isPublicOnly ? "what no person has approved reaches public addresses only" : `only the rule \`${target.name}:${target.port}\` would allow it`}`;
    }
    return found[0] ?? `there is no host \`${target.name}\``;
  } catch {
    return `there is no host \`${target.name}\``;
  }
}

async function tunnel(
  { url = "" }: IncomingMessage,
  { socket, first }: { readonly socket: Duplex; readonly first: Buffer },
  rules: Rules,
): Promise<void> {
  socket.on("error", () => undefined);
  const [, name = "", port = ""] = /^\[?([^\]]*?)\]?:(\d{1,5})$/.exec(url) ?? [];
  const located = name === "" ? "the address has no port" : await locate({ name, port: Number(port) }, rules);
  if (typeof located === "string") return void socket.end(refusalText(located));
  const taken = rules.standIns?.takes({ name, port: Number(port) }, located.address);
  if (taken) {
    socket.write(ESTABLISHED);
    if (first.length > 0) socket.unshift(first);
    return taken(socket);
  }
  const out = connect({ host: located.address, port: Number(port) });
  rules.outgoing.add(out);
  out.on("connect", () => {
    socket.write(ESTABLISHED);
    if (first.length > 0) out.write(first);
    out.pipe(socket);
    socket.pipe(out);
  });
  out.on("error", (error) => void socket.end(failureText(error.message)));
  out.on("close", () => {
    rules.outgoing.delete(out);
    socket.destroy();
  });
  socket.on("close", () => void out.destroy());
}

/** A request with a whole address: HTTP without TLS. */
async function forward(request: IncomingMessage, response: ServerResponse, rules: Rules): Promise<void> {
  const url = URL.canParse(request.url ?? "") ? new URL(request.url ?? "") : undefined;
  const name = url?.hostname.replace(/^\[|\]$/g, "") ?? "";
  const target = { name, port: url?.port ? Number(url.port) : 80 };
  const located = url?.protocol === "http:" ? await locate(target, rules) : "the address is not one of HTTP";
  if (typeof located === "string" || !url) {
    const body = String(located);
    response.writeHead(403, { "content-type": "text/plain; charset=utf-8", connection: "close" });
    response.end(`dottool: ${body}\n`);
    return;
  }
  const { "proxy-connection": _connection, "proxy-authorization": _authorization, ...headers } = request.headers;
  const out = requestOf(
    {
      host: located.address,
      port: target.port,
      method: request.method,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host },
      setHost: false,
      agent: false,
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  out.on("socket", (socket) => {
    rules.outgoing.add(socket);
    socket.on("close", () => void rules.outgoing.delete(socket));
  });
  out.on("error", (error) => {
    if (response.headersSent) return void response.destroy();
    response.writeHead(502, { "content-type": "text/plain; charset=utf-8", connection: "close" });
    response.end(`dottool: ${error.message}\n`);
  });
  response.on("close", () => void out.destroy());
  request.pipe(out);
}

const ESTABLISHED = "HTTP/1.1 200 Connection established\r\n\r\n";

function refusalText(why: string): string {
  return `HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n\r\ndottool: ${why}\n`;
}

function failureText(why: string): string {
  return `HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n\r\ndottool: ${why}\n`;
}
