// The values of secrets that are never inside a sandbox. A process has a stand-in; here, outside, requests to the hosts
// that the secret is for get its value. For that, their connections end here, with certificates of an authority that
// only this sandbox trusts, and go on by TLS to the real host, whose certificate is verified as anywhere else.
import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Agent, createServer, request as requestOf, type Server } from "node:https";
import { isIP } from "node:net";
import { type Duplex, pipeline, Transform } from "node:stream";
import tls from "node:tls";
import type { StandIn } from "../../../core/tool/confinement.ts";
import { openAuthority } from "./call-authority.ts";

/** Where the authorities are inside: those of the system, and that of the call. */
const AUTHORITIES_FILE = "/run/dottool/authorities.pem";

/** The variables by which programs find authorities. `SSL_CERT_FILE` is OpenSSL's, and that of Go, Ruby and Python. */
const AUTHORITY_VARIABLES =
  "SSL_CERT_FILE NODE_EXTRA_CA_CERTS CURL_CA_BUNDLE REQUESTS_CA_BUNDLE GIT_SSL_CAINFO npm_config_cafile PIP_CERT CARGO_HTTP_CAINFO AWS_CA_BUNDLE DENO_CERT";

/** Headers about one connection and not about the request; `host` and `accept-encoding` are written anew. */
const OF_CONNECTION =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|upgrade|http2-settings|expect|host|accept-encoding)$/i;
/** The forms in which one host gets secrets: themselves, and basic authentication with each user's name. */
const FORMS_MAX = 100;

interface Target {
  readonly name: string;
  readonly port: number;
}

export interface StandIns {
  /** Files inside, with their contents. */
  readonly files: readonly (readonly [path: string, content: Buffer])[];
  readonly environment: Readonly<Record<string, string>>;
  /** Takes over a tunnel if a secret is for its host. The address is that of the host. */
  takes(target: Target, address: string): ((tunnel: Duplex) => void) | undefined;
  close(): void;
}

export function openStandIns(all: readonly StandIn[]): StandIns {
  const authority = openAuthority();
  const known = knownAuthorities();
  const agent = new Agent({ keepAlive: true, secureContext: tls.createSecureContext({ ca: [...known] }) });
  const gates = new Map<string, Gate>();
  return {
    files: [[AUTHORITIES_FILE, Buffer.from([...known, authority.cert].join("\n"))]],
    environment: Object.fromEntries(AUTHORITY_VARIABLES.split(" ").map((name) => [name, AUTHORITIES_FILE])),
    takes: ({ name, port }, address) => {
      const target = { name: name.toLowerCase().replace(/\.$/, ""), port };
      const own = all.filter(({ hosts }) => hosts.some((host) => isOf(host, target)));
      if (own.length === 0) return undefined;
      const key = `${target.name}:${port}`;
      const gate = gates.get(key) ?? new Gate(target, { own, agent, certified: authority.certify(target.name) });
      gates.set(key, gate);
      return (tunnel) => gate.take(tunnel, address);
    },
    close: () => agent.destroy(),
  };
}

function isOf(host: string, { name, port }: Target): boolean {
  const [, pattern = "", only = "443"] = /^(.*?)(?::(\d+))?$/.exec(host.toLowerCase()) ?? [];
  return pattern === name && Number(only) === port;
}

/** The authorities that this program trusts itself, with those of `NODE_EXTRA_CA_CERTS`, and those of the system. */
function knownAuthorities(): readonly string[] {
  // Node.js before 22.15 only names its own.
  if (typeof tls.getCACertificates !== "function") return tls.rootCertificates;
  return [...new Set([...tls.getCACertificates("default"), ...tls.getCACertificates("system")])];
}

interface GateOptions {
  /** The secrets that are for this host. */
  readonly own: readonly StandIn[];
  readonly agent: Agent;
  readonly certified: { readonly cert: string; readonly key: string };
}

/** What stands before one host. */
class Gate {
  readonly #target: Target;
  readonly #options: GateOptions;
  readonly #server: Server;
  /** What may come back of a secret, with what the process gets in its place, which is as long. */
  readonly #forms: Map<string, string>;
  #address = "";

  constructor(target: Target, options: GateOptions) {
    this.#target = target;
    this.#options = options;
    this.#forms = new Map(options.own.map(({ value, text }) => [value, text]));
    this.#server = createServer(
      {
        ...options.certified,
        ALPNProtocols: ["http/1.1"],
        SNICallback: (name, done) =>
          name.toLowerCase() === target.name ? done(null) : done(new Error(`not a name of ${target.name}`)),
      },
      (request, response) => this.#answer(request, response),
    );
    this.#server.on("clientError", (error, socket) => {
      if (socket.writable)
        socket.end(`HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\ndottool: ${error.message}\n`);
      else socket.destroy();
    });
  }

  take(tunnel: Duplex, address: string): void {
    this.#address = address;
    this.#server.emit("connection", tunnel);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const why = whyRefused(request, this.#target);
    if (why !== undefined) return void end(response, why);
    const { name, port } = this.#target;
    const out = requestOf(
      {
        host: this.#address,
        port,
        // An address is no name of a server.
        servername: isIP(name) === 0 ? name : "",
        agent: this.#options.agent,
        method: request.method,
        path: request.url,
        headers: this.#headers(request),
        setHost: false,
      },
      (answer) => {
        const lines = pairsOf(answer.rawHeaders).filter(([line]) => !isOfConnection(line, answer));
        const headers = lines.flatMap(([line, value]) => [line, replaced(value, this.#forms)]);
        response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? "", headers);
        pipeline(answer, new Replacing(this.#forms), response, () => undefined);
      },
    );
    out.on("error", (error) => (response.headersSent ? response.destroy() : end(response, [502, error.message])));
    response.on("close", () => void out.destroy());
    request.pipe(out);
  }

  /** The headers of a request, with values in place of stand-ins. */
  #headers(request: IncomingMessage): Readonly<Record<string, string | string[]>> {
    const headers: Record<string, string[]> = {};
    for (const [name, value] of pairsOf(request.rawHeaders))
      if (!isOfConnection(name, request)) (headers[name.toLowerCase()] ??= []).push(this.#filled(value));
    // What is compressed cannot be searched for the value.
    return { ...headers, host: request.headers.host ?? "", "accept-encoding": "identity" };
  }

  #filled(value: string): string {
    const values = new Map(this.#options.own.map((one) => [one.text, one.value]));
    const [, scheme = "", encoded = ""] = /^(Basic +)([A-Za-z0-9+/=]+)$/i.exec(value) ?? [];
    const shown = Buffer.from(encoded, "base64").toString("latin1");
    const real = replaced(shown, values);
    if (real === shown) return replaced(value, values);
    const sent = Buffer.from(real, "latin1").toString("base64");
    // What could not be masked in the answer is not sent.
    if (this.#forms.size >= FORMS_MAX && !this.#forms.has(sent)) return value;
    this.#forms.set(sent, Buffer.from(shown, "latin1").toString("base64"));
    return scheme + sent;
  }
}

/** Returns the status and the reason if a request is not passed on. */
function whyRefused(request: IncomingMessage, { name, port }: Target): readonly [number, string] | undefined {
  const hosts = pairsOf(request.rawHeaders).flatMap(([line, value]) => (/^host$/i.test(line) ? [value] : []));
  const [host = ""] = hosts.map((one) => one.toLowerCase());
  // The host itself might hand the request, with the secret, to another of its names.
  if (hosts.length !== 1 || (host !== `${name}:${port}` && (host !== name || port !== 443)))
    return [421, `this connection is to \`${name}:${port}\`, and its request names \`${hosts.join(", ")}\``];
  if (!/^[/*]/.test(request.url ?? "")) return [400, "a request names a path here, and no other address"];
  if (/websocket/i.test(request.headers.upgrade ?? ""))
    return [501, "no websocket leads to a host that a secret is for, because what comes back could show its value"];
  const coding = request.headers["transfer-encoding"];
  return coding === undefined || /^chunked$/i.test(coding) ? undefined : [501, `\`${coding}\` is not passed on`];
}

function isOfConnection(name: string, { headers }: IncomingMessage): boolean {
  const named = (headers.connection ?? "").split(",").map((one) => one.trim().toLowerCase());
  return OF_CONNECTION.test(name) || named.includes(name.toLowerCase());
}

function pairsOf(raw: readonly string[]): readonly (readonly [name: string, value: string])[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ""] as const] : []));
}

function end(response: ServerResponse, [status, why]: readonly [status: number, why: string]): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  response.end(`dottool: ${why}\n`);
}

function replaced(text: string, forms: ReadonlyMap<string, string>): string {
  return [...forms].reduce((done, [from, to]) => done.replaceAll(from, () => to), text);
}

/** Replaces texts in bytes. It only holds back what may be the beginning of one, so that streamed events arrive. */
class Replacing extends Transform {
  readonly #forms: ReadonlyMap<string, string>;
  #held = "";

  constructor(forms: ReadonlyMap<string, string>) {
    super();
    this.#forms = forms;
  }

  override _transform(bytes: Buffer, _encoding: string, done: () => void): void {
    const text = replaced(this.#held + bytes.toString("latin1"), this.#forms);
    const held = Math.max(0, ...[...this.#forms.keys()].map((form) => beginningAtEnd(text, form)));
    this.#held = text.slice(text.length - held);
    this.push(text.slice(0, text.length - held), "latin1");
    done();
  }

  override _flush(done: () => void): void {
    this.push(this.#held, "latin1");
    done();
  }
}

/** Returns how many characters at the end of a text are the beginning of another one. */
function beginningAtEnd(text: string, other: string): number {
  for (let length = Math.min(other.length - 1, text.length); length > 0; length--)
    if (text.endsWith(other.slice(0, length))) return length;
  return 0;
}
