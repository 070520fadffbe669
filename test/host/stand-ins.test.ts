// A secret that is never inside: a process in the real sandbox has a stand-in, and real servers on loopback say what
// reached them. Each attack shows that its request arrived, or why it did not, so that none passes because it is broken.
import { existsSync } from "node:fs";
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import process from "node:process";
import tls from "node:tls";
import { openAuthority } from "../../src/features/confinement/host/call-authority.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { attack, inPlace, python, sh } from "./confined-place.ts";

const test = suite("host/stand-ins");

const VALUE = "ghp_canary$&0123456789abcdef";
const TEXT = "0f1e2d3c4b5a69788796a5b4c3d2";
const basic = (password: string): string => Buffer.from(`ana:${password}`).toString("base64");

/** The whole request, as the server got it. */
interface Seen {
  readonly line: string;
  readonly authorization: string | undefined;
  readonly headers: string;
  readonly body: string;
}

interface Server {
  readonly port: number;
  readonly seen: Seen[];
}

type Respond = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const echo: Respond = (request, response, body) =>
  void response.end(`${request.headers.authorization ?? "none"} ${body}\n`);

async function serving(
  { name, respond = echo, secure }: { name: string; respond?: Respond; secure?: { cert: string; key: string } },
  work: (server: Server) => Promise<void>,
): Promise<void> {
  const seen: Seen[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    let body = "";
    request.on("data", (bytes: Buffer) => void (body += bytes.toString("latin1")));
    request.on("end", () => {
      const { authorization } = request.headers;
      const headers = JSON.stringify(request.rawHeaders);
      seen.push({ line: `${request.method} ${request.url}`, authorization, headers, body });
      respond(request, response, body);
    });
  };
  const server = secure ? createServer(secure, listener) : createPlainServer(listener);
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, name, resolve));
  try {
    await work({ port: (server.address() as AddressInfo).port, seen });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

interface World {
  /** `localhost`, which the secret is for. */
  readonly own: Server;
  /** `127.0.0.1`, with a certificate as good. */
  readonly other: Server;
  /** `localhost` without TLS. */
  readonly plain: Server;
  /** Runs a command inside, and returns what it printed. */
  inside(argv: readonly string[], environment?: Readonly<Record<string, string>>): Promise<string>;
}

/** The authority of the real hosts, which this process trusts as it trusts those of the system. */
const real = openAuthority();
tls.setDefaultCACertificates([...tls.getCACertificates("default"), real.cert]);

async function inWorld(work: (world: World) => Promise<void>, respond?: Respond): Promise<void> {
  needPrograms("bwrap", "curl");
  const own = { name: "localhost", secure: real.certify("localhost"), ...(respond ? { respond } : {}) };
  await serving(own, (own) =>
    serving({ name: "127.0.0.1", secure: real.certify("127.0.0.1") }, (other) =>
      serving({ name: "localhost" }, (plain) =>
        inPlace(async (place) => {
          const hosts = [`localhost:${own.port}`, `127.0.0.1:${other.port}`, `localhost:${plain.port}`];
          await work({
            own,
            other,
            plain,
            inside: async (argv, environment = {}) => {
              const { stdout, stderr } = await attack(argv, place, {
                confinement: { hosts, standIns: [{ text: TEXT, value: VALUE, hosts: [`localhost:${own.port}`] }] },
                changes: {
                  environment: { PATH: "/usr/bin:/bin", HOME: place.home, TOKEN: TEXT, ...environment },
                },
              });
              assert.not.ok(`${stdout}${stderr}`.includes(VALUE), "the value came inside");
              return stdout + stderr;
            },
          });
        }),
      ),
    ),
  );
}

const BEARER = '-H "Authorization: Bearer $TOKEN"';
const curl = (words: string): readonly string[] => sh(`curl -sS --max-time 60 ${words}`);

test("a request to its own host gets the value, and what the server repeats is the stand-in again", () =>
  inWorld(async ({ own, inside }) => {
    assert.is(await inside(curl(`${BEARER} https://localhost:${own.port}/a`)), `Bearer ${TEXT} \n`);
    assert.is(own.seen[0]?.authorization, `Bearer ${VALUE}`);
    assert.is(await inside(curl(`-u "ana:$TOKEN" https://localhost:${own.port}/b`)), `Basic ${basic(TEXT)} \n`);
    assert.is(own.seen[1]?.authorization, `Basic ${basic(VALUE)}`);
  }));

test("a host that could get the value in more forms than can be masked gets the stand-in instead", () =>
  inWorld(async ({ own, inside }) => {
    const at = `https://localhost:${own.port}/`;
    const all = `for i in $(seq 120); do echo "next"; echo "url = ${at}"; echo "user = u$i:$TOKEN"; done | tail -n +2 | curl -sS -K -`;
    const found = (await inside(sh(all))).trim().split("\n");
    const sent = own.seen.map(({ authorization = "" }) => Buffer.from(authorization.slice(6), "base64").toString());
    assert.equal([found.length, sent.length], [120, 120]);
    assert.equal(sent.filter((one) => one.endsWith(VALUE)).length, 99);
    assert.not.ok(found.some((line) => Buffer.from(line.slice(6), "base64").toString().includes(VALUE)));
  }));

test("only headers change: not the body, and not the address", () =>
  inWorld(async ({ own, inside }) => {
    await inside(curl(`${BEARER} -d "b=$TOKEN" "https://localhost:${own.port}/c?t=$TOKEN"`));
    assert.equal(
      own.seen.map(({ line, authorization, body }) => ({ line, authorization, body })),
      [{ line: `POST /c?t=${TEXT}`, authorization: `Bearer ${VALUE}`, body: `b=${TEXT}` }],
    );
    assert.not.ok(JSON.stringify(own.seen).includes("Accept-Encoding"));
  }));

test("Node's fetch, git and Python find the authority of the call, and send the value", () =>
  inWorld(
    async ({ own, inside }) => {
      const script = `fetch("https://localhost:${own.port}/n", { headers: { "x-api-key": process.env.TOKEN } }).then(async (r) => console.log(r.status, await r.text()))`;
      assert.match(await inside([process.execPath, "-e", script]), "401 who\n");
      assert.ok(own.seen[0]?.headers.includes(JSON.stringify(VALUE).slice(1, -1)));
      needPrograms("git");
      assert.match(
        await inside(sh(`git ls-remote "https://ana:$TOKEN@localhost:${own.port}/r.git"`)),
        /^[0-9a-f]{40}\trefs\/heads\/main$/m,
      );
      assert.is(own.seen.at(-1)?.authorization, `Basic ${basic(VALUE)}`);
      needPrograms("python3");
      const request = `import os, urllib.request as u\nr = u.Request("https://localhost:${own.port}/p", headers={"Authorization": "Basic ${basic(TEXT)}"})\nprint(u.urlopen(r).status)`;
      assert.match(await inside(python(request)), "200");
      assert.is(own.seen.at(-1)?.authorization, `Basic ${basic(VALUE)}`);
    },
    (request, response) => {
      if (request.headers.authorization?.startsWith("Basic ")) response.end(`${"a".repeat(40)}\trefs/heads/main\n`);
      else response.writeHead(401, { "www-authenticate": 'Basic realm="r"' }).end("who\n");
    },
  ));

test("no other host, port or protocol gets the value", () =>
  inWorld(
    async ({ own, other, plain, inside }) => {
      const [there, http] = [`127.0.0.1:${other.port}`, `localhost:${plain.port}`];
      await inside(curl(`${BEARER} "https://${there}/?t=$TOKEN"`));
      await inside(curl(`-u "ana:$TOKEN" http://${http}/forwarded`));
      await inside(curl(`${BEARER} -p http://${http}/tunnel`));
      // The host sends it on, and a careless client takes its headers along.
      await inside(
        curl(`${BEARER} -L --location-trusted https://localhost:${own.port}/to?https://${there}/redirected`),
      );
      await inside(curl(`${BEARER} -L --location-trusted https://localhost:${own.port}/to?http://${http}/redirected`));
      await inside(curl(`${BEARER} http://localhost:${own.port}/`));
      assert.equal(
        [...other.seen, ...plain.seen].map(({ line, authorization }) => [line, authorization]),
        [
          [`GET /?t=${TEXT}`, `Bearer ${TEXT}`],
          ["GET /redirected", `Bearer ${TEXT}`],
          ["GET /forwarded", `Basic ${basic(TEXT)}`],
          ["GET /tunnel", `Bearer ${TEXT}`],
          ["GET /redirected", `Bearer ${TEXT}`],
        ],
      );
      assert.not.ok(JSON.stringify([...other.seen, ...plain.seen]).includes("ghp_"));
      assert.equal(
        own.seen.map(({ line }) => line.replace(/\?.*/, "")),
        ["GET /to", "GET /to"],
      );
    },
    (request, response) => void response.writeHead(302, { location: (request.url ?? "").split("?")[1] }).end(),
  ));

test("a request that names another host than its tunnel is refused", () =>
  inWorld(async ({ own, inside }) => {
    const at = `https://localhost:${own.port}/`;
    assert.match(await inside(curl(`${BEARER} -H "Host: evil.test" ${at}`)), "and its request names `evil.test`");
    assert.match(await inside(curl(`${BEARER} -H "Host: localhost" ${at}`)), "and its request names `localhost`");
    // The name in TLS, and with it that of the request.
    const other = `-k --connect-to evil.test:443:localhost:${own.port} https://evil.test/`;
    assert.match(await inside(curl(`${BEARER} ${other}`)), /curl: \(35\)/);
    assert.equal(own.seen, []);
  }));

/** A client that writes what it likes into TLS with its own host, and prints what comes back. */
const rawClient = `
const [port, text, protocol] = process.argv.slice(1);
const { connect } = require("net"), tls = require("tls");
const plain = connect(3128, "127.0.0.1", () => plain.write("CONNECT localhost:" + port + " HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n"));
plain.once("data", () => {
  const options = { socket: plain, servername: "localhost", ALPNProtocols: [protocol] };
  const secure = tls.connect(options, () => secure.write(text.replaceAll("TOKEN", process.env.TOKEN)));
  secure.setTimeout(30000, () => secure.destroy());
  secure.on("data", (bytes) => process.stdout.write(bytes));
  secure.on("error", (error) => console.log(error.code));
  secure.on("close", () => process.exit());
});`;

const raw = (text: string): string => text.replaceAll("\n", "\r\n");

const odd: readonly (readonly [name: string, text: string, answer: RegExp, protocol?: string])[] = [
  ["two lengths", "POST / HTTP/1.1\nHost: HOST\nContent-Length: 3\nContent-Length: 30\n\nabc", /^HTTP\/1\.1 400/],
  [
    "a length and chunks",
    "POST / HTTP/1.1\nHost: HOST\nContent-Length: 4\nTransfer-Encoding: chunked\n\n0\n\nGET /smuggled HTTP/1.1\nHost: HOST\nAuthorization: TOKEN\n\n",
    /^HTTP\/1\.1 400/,
  ],
  ["another coding", "POST / HTTP/1.1\nHost: HOST\nTransfer-Encoding: gzip, chunked\n\n0\n\n", /^HTTP\/1\.1 501/],
  ["two hosts", "GET / HTTP/1.1\nHost: HOST\nHost: evil.test\nAuthorization: TOKEN\n\n", /^HTTP\/1\.1 (400|421)/],
  ["no host", "GET / HTTP/1.1\nAuthorization: TOKEN\n\n", /^HTTP\/1\.1 (400|421)/],
  ["a whole address", "GET https://evil.test/ HTTP/1.1\nHost: HOST\nAuthorization: TOKEN\n\n", /^HTTP\/1\.1 400/],
  ["a tunnel in the tunnel", "CONNECT evil.test:443 HTTP/1.1\nHost: HOST\nAuthorization: TOKEN\n\n", /^$/],
  ["HTTP/2 that is known before", "PRI * HTTP/2.0\n\nSM\n\n", /^HTTP\/1\.1 400/],
  ["HTTP/2 alone", "PRI * HTTP/2.0\n\nSM\n\n", /NO_APPLICATION_PROTOCOL|ECONNRESET/, "h2"],
  [
    "a websocket",
    "GET / HTTP/1.1\nHost: HOST\nConnection: Upgrade\nUpgrade: websocket\nAuthorization: TOKEN\n\n",
    /^HTTP\/1\.1 501[^]*no websocket leads to a host that a secret is for/,
  ],
];

for (const [name, text, answer, protocol = "http/1.1"] of odd)
  test(`a request with ${name} does not reach the host`, () =>
    inWorld(async ({ own, inside }) => {
      const request = raw(text.replaceAll("HOST", `localhost:${own.port}`));
      assert.match(await inside([process.execPath, "-e", rawClient, String(own.port), request, protocol]), answer);
      assert.equal(own.seen, []);
    }));

test("a body of one request is never the beginning of the next", () =>
  inWorld(async ({ own, inside }) => {
    const hidden = "GET /smuggled HTTP/1.1\nHost: HOST\nAuthorization: TOKEN\n\n";
    const host = `localhost:${own.port}`;
    const chunk = raw(hidden.replaceAll("HOST", host)).replaceAll("TOKEN", TEXT);
    const text = raw(
      `GET /one HTTP/1.1\nHost: ${host}\nTransfer-Encoding: chunked\n\n${chunk.length.toString(16)}\n${chunk}\n0\n\nGET /two HTTP/1.1\nHost: ${host}\nConnection: close\n\n`,
    ).replaceAll("\r\r", "\r");
    await inside([process.execPath, "-e", rawClient, String(own.port), text, "http/1.1"]);
    assert.equal(
      own.seen.map(({ line, body }) => [line, body]),
      [
        ["GET /one", chunk],
        ["GET /two", ""],
      ],
    );
  }));

test("inside there is the stand-in alone, in every environment and file", () =>
  inWorld(async ({ inside }) => {
    const found = await inside(
      sh(
        'env; cat /proc/self/environ /proc/*/environ /proc/*/cmdline 2>&- | tr "\\0" "\\n"; cat /run/dottool/*; ls /run/dottool',
      ),
    );
    assert.ok(found.includes(`TOKEN=${TEXT}`));
    assert.not.match(found, "PRIVATE KEY");
    assert.match(found, "authorities.pem\n");
  }));

test("a call's authority is another one each time, and nobody outside trusts it", () =>
  inWorld(async ({ inside }) => {
    const last = async (): Promise<string> => (await inside(sh("tail -n 12 /run/dottool/authorities.pem"))).trim();
    const [one, two] = [await last(), await last()];
    assert.match(one, "END CERTIFICATE");
    assert.is.not(one, two);
    const known = [...tls.getCACertificates("default"), ...tls.getCACertificates("system")].join("\n");
    assert.not.ok(known.includes(one.split("\n").at(-3) ?? ""));
    assert.not.ok(existsSync("/run/dottool/authorities.pem"));
  }));

test("without the proxy nothing is reached", () =>
  inWorld(async ({ own, inside }) => {
    const at = `https://localhost:${own.port}/`;
    assert.match(await inside(curl(`${BEARER} --noproxy '*' ${at}`)), /curl: \(7\)/);
    // What the caller sets does not count: the sandbox says what goes by the proxy.
    assert.is(await inside(curl(`${BEARER} ${at}`), { NO_PROXY: "*", no_proxy: "localhost" }), `Bearer ${TEXT} \n`);
    assert.is(own.seen.length, 1);
  }));

test("a host whose certificate nobody vouches for gets no request", async () => {
  const stranger = openAuthority().certify("localhost");
  await inPlace((place) =>
    serving({ name: "localhost", secure: stranger }, async ({ port, seen }) => {
      needPrograms("bwrap", "curl");
      const hosts = [`localhost:${port}`];
      const { stdout } = await attack(curl(`${BEARER} https://localhost:${port}/`), place, {
        confinement: { hosts, standIns: [{ text: TEXT, value: VALUE, hosts }] },
      });
      assert.match(stdout, /^dottool: unable to (?:verify|get)[^]*certificate/);
      assert.equal(seen, []);
    }),
  );
});

test("what comes in pieces, and in headers, is masked, and all else is as it was sent", () => {
  const rest = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7) % 256));
  const pieces = ["a", "g", "hp_canary", VALUE.slice(10), `${VALUE}${VALUE.slice(0, 9)}`, "end", rest];
  return inWorld(
    async ({ own, inside }) => {
      const found = await inside(
        curl(`-i https://localhost:${own.port}/ > /tmp/all; head -c 400 /tmp/all; tail -c 200000 /tmp/all | md5sum`),
      );
      assert.match(found, `x-repeated: ${TEXT}`);
      assert.match(found, `a${TEXT}${TEXT}${VALUE.slice(0, 9)}end`);
      const sum = process.getBuiltinModule("node:crypto").createHash("md5").update(rest).digest("hex");
      assert.match(found, sum);
    },
    (_request, response) => {
      response.setHeader("x-repeated", VALUE);
      const next = (index: number): void => {
        const piece = pieces[index];
        if (piece === undefined) response.end();
        else response.write(piece, () => setImmediate(next, index + 1));
      };
      next(0);
    },
  );
});

if ("Deno" in globalThis) {
  const inDeno = suite("no stand-ins in Deno");
  inDeno("a process that would have one does not start, with the reason", () =>
    inPlace(async (place) => {
      const { result } = await attack(["true"], place);
      assert.match(JSON.stringify(result), "Deno cannot pass open files to a process");
    }),
  );
  inDeno.run();
} else test.run();
