import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { assert, suite } from "../harness.ts";
import { selfSigned } from "../base/self-signed.ts";
import { startRawServer, startServer, type Respond, type ServerOptions, type WebServer } from "../base/web-server.ts";
import type { WebRequest, WebResult } from "../../src/tool/host.ts";
import type { ResolveName } from "../../src/host/web-resolve.ts";
import { createWeb, type WebOptions } from "../../src/host/web.ts";

const test = suite("host/web");
const isDeno = "deno" in process.versions;

interface Wanted extends Partial<WebRequest> {
  readonly web?: WebOptions;
}

function fetch(url: string, wanted: Wanted = {}): Promise<WebResult> {
  const { web, ...request } = wanted;
  const allowedHosts = URL.canParse(url) ? [new URL(url).host] : [];
  return createWeb(web).fetch({ url, signal: new AbortController().signal, bytesMax: 100_000, timeoutMs: 10_000, redirectsMax: 5, allowedHosts, ...request });
}

/** Status and text of an answer, or the whole of what came instead. */
function brief(result: WebResult): unknown {
  return result.kind === "response" ? [result.status, Buffer.from(result.body).toString(), result.isCut ? "cut" : "whole"] : result;
}

async function serving<T>(respond: Respond, use: (server: WebServer) => Promise<T>, options: ServerOptions = {}): Promise<T> {
  const server = await startServer(respond, options);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

/** What comes of an answer that is written byte by byte. */
async function rawAnswer(bytes: string | Uint8Array, then: "end" | "reset" | "hold", wanted: Wanted = {}): Promise<unknown> {
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

function withoutPort(value: unknown, port: number): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(`:${port}`, ":PORT"));
}

const localhost = "127.0.0.1:PORT";
const closedEarly = { kind: "unreachable", reason: `\`${localhost}\` closed the connection before its answer was whole`, help: ["try again later"] };
const damaged = { kind: "unreachable", reason: `the compressed answer of \`${localhost}\` is damaged or ends early`, help: ["try again later"] };

test("fetch returns status, address, headers and body", async () => {
  await serving((_request, response) => {
    response.sendDate = false;
    response.writeHead(200, { "content-type": "text/plain", "set-cookie": ["a=1", "b=2"], "__proto__": "x" }).end("hello");
  }, async (server) => {
    const result = await fetch(`${server.origin}/page?q=1`);
    assert.equal({ ...result, body: [] }, {
      kind: "response",
      status: 200,
      url: `${server.origin}/page?q=1`,
      headers: { "content-type": "text/plain", "set-cookie": "a=1, b=2", connection: "close", "transfer-encoding": "chunked" },
      body: [],
      isCut: false,
    });
    assert.equal(brief(result), [200, "hello", "whole"]);
  });
});

test("fetch sends its own headers and the caller's, and no other", async () => {
  await serving((_request, response) => void response.end(), async (server) => {
    await fetch(`${server.origin}/`, { headers: { Accept: "text/html", "X-Mine": "1", Host: "evil.test", "Transfer-Encoding": "chunked", Connection: "upgrade" } });
    assert.equal(server.seen[0]?.headers, { "user-agent": "dottool", accept: "text/html", "x-mine": "1", "accept-encoding": "gzip, deflate, br, zstd", connection: "close", host: server.host });
  });
});

test("fetch posts a body", async () => {
  await serving((request, response) => void response.end(`${request.method} ${request.body}`), async (server) => {
    assert.equal(brief(await fetch(`${server.origin}/`, { method: "POST", body: "é{}", headers: { "content-type": "application/json" } })), [200, "POST é{}", "whole"]);
    assert.is(server.seen[0]?.headers["content-length"], "4");
  });
});

test("fetch answers with an empty body where there is none, whatever coding is named", async () => {
  await serving((request, response) => {
    response.writeHead(request.path === "/204" ? 204 : 200, { "content-encoding": "gzip" }).end();
  }, async (server) => {
    assert.equal(brief(await fetch(`${server.origin}/204`)), [204, "", "whole"]);
    assert.equal(brief(await fetch(`${server.origin}/200`)), [200, "", "whole"]);
  });
});

test("fetch follows relative redirects", async () => {
  await serving((request, response) => {
    const next: Record<string, string> = { "/a/b": "../c", "/c": "?d=é", "/c?d=%C3%A9": "//HOST/e" };
    const location = next[request.path]?.replace("HOST", String(request.headers["host"]));
    if (location === undefined) response.end(request.path);
    else response.writeHead(302, { location: Buffer.from(location).toString("latin1") }).end("ignored");
  }, async (server) => {
    const result = await fetch(`${server.origin}/a/b`);
    assert.equal([brief(result), result.kind === "response" && result.url], [[200, "/e", "whole"], `${server.origin}/e`]);
  });
});

test("fetch stops at a loop of redirects", async () => {
  await serving((_request, response) => void response.writeHead(301, { location: "/" }).end(), async (server) => {
    assert.equal(await fetch(`${server.origin}/`), { kind: "refused", reason: "`127.0.0.1` redirects once more, and 5 redirects are the limit", help: [] });
    assert.is(server.seen.length, 6);
  });
});

test("fetch returns a redirect without a place to go", async () => {
  await serving((_request, response) => void response.writeHead(302).end("no location"), async (server) => {
    assert.equal(brief(await fetch(`${server.origin}/`)), [302, "no location", "whole"]);
  });
});

test("fetch judges every redirect like a first address", async () => {
  const targets: readonly (readonly [location: string, reason: string])[] = [
    ["http://169.254.169.254/latest/", "after a redirect: `169.254.169.254` is a cloud metadata address, not one of the public internet"],
    ["http://2130706433:1234/", "after a redirect: `127.0.0.1` is a loopback address, not one of the public internet"],
    ["http://[::ffff:10.0.0.1]/", "after a redirect: `::ffff:a00:1` is a private address, not one of the public internet"],
    ["http://inside.test/", "after a redirect: `inside.test` is 192.168.0.7, a private address, not one of the public internet"],
    ["file:///etc/passwd", "after a redirect: `file:` addresses are not fetched"],
    ["http://user:password@example.test/", "after a redirect: the address of `example.test` holds a user name or a password"],
    ["http://example.test:22/", "after a redirect: port 22 belongs to another service than the web"],
    ["http://[nonsense", "`127.0.0.1` redirects to what is no web address"],
  ];
  const resolve: ResolveName = async () => [{ address: "192.168.0.7", family: 4 }];
  await serving((request, response) => void response.writeHead(302, { location: targets[Number(request.path.slice(1))]?.[0] ?? "" }).end(), async (server) => {
    const actual = await Promise.all(targets.map(async ([location], at) => {
      const result = await fetch(`${server.origin}/${at}`, { web: { resolve } });
      return [location, result.kind === "refused" ? result.reason : result.kind];
    }));
    assert.equal(actual, targets);
  });
});

const callersHeaders = { authorization: "Bearer secret", cookie: "a=1", "x-subscription-token": "secret", "proxy-authorization": "secret", accept: "text/html", "accept-language": "de" };

test("fetch keeps the caller's headers within an origin and drops what may be a credential across origins", async () => {
  await serving((_request, response) => void response.end(), async (other) => {
    await serving((request, response) => void response.writeHead(302, { location: request.path === "/" ? "/inside" : `${other.origin}/outside` }).end(), async (first) => {
      await fetch(`${first.origin}/`, { headers: callersHeaders, allowedHosts: [first.host, other.host] });
      const own = { "user-agent": "dottool", "accept-encoding": "gzip, deflate, br, zstd", connection: "close" };
      assert.equal(first.seen.map((request) => request.headers), [{ ...callersHeaders, ...own, host: first.host }, { ...callersHeaders, ...own, host: first.host }]);
      assert.equal(other.seen.map((request) => request.headers), [{ accept: "text/html", "accept-language": "de", ...own, host: other.host }]);
    });
  });
});

test("fetch turns a post into a get as browsers do, and posts again only to the same origin", async () => {
  await serving((request, response) => {
    if (request.path.startsWith("/30")) response.writeHead(Number(request.path.slice(1)), { location: "/end" }).end();
    else response.end(`${request.method} ${request.body} ${request.headers["content-type"]}`);
  }, async (server) => {
    const post = { method: "POST", body: "sent", headers: { "content-type": "text/plain" } } as const;
    const statuses = [301, 302, 303, 307, 308];
    const actual = await Promise.all(statuses.map(async (status) => brief(await fetch(`${server.origin}/${status}`, post))));
    const get = [200, "GET  undefined", "whole"];
    const again = [200, "POST sent text/plain", "whole"];
    assert.equal(actual, [get, get, get, again, again]);
  });
});

test("fetch does not send a body on to another origin", async () => {
  await serving((_request, response) => void response.writeHead(307, { location: "http://other.test/" }).end(), async (server) => {
    assert.equal(withoutPort(await fetch(`${server.origin}/`, { method: "POST", body: "sent" }), server.port), {
      kind: "refused",
      reason: "`127.0.0.1` wants what was sent to it sent to `http://other.test`",
      help: ["where that is wanted: send it to `http://other.test` itself"],
    });
  });
});

test("fetch asks for a name once, and connects to the address that was checked", async () => {
  // A name that is one server when it is checked and another right after.
  const answers = ["127.0.0.2", "127.0.0.1"];
  let asked = 0;
  const resolve: ResolveName = async () => [{ address: answers[asked++] ?? "127.0.0.1", family: 4 }];
  await serving((_request, response) => void response.end("the checked one"), async (checked) => {
    await serving((_request, response) => void response.end("the other one"), async (other) => {
      const result = await fetch(`http://rebind.test:${checked.port}/`, { web: { resolve } });
      assert.equal([brief(result), asked, checked.seen.length, other.seen.length], [[200, "the checked one", "whole"], 1, 1, 0]);
    }, { port: checked.port });
  }, { address: "127.0.0.2" });
});

test("fetch checks a name again at every redirect", async () => {
  const answers = ["127.0.0.1", "10.0.0.1"];
  let asked = 0;
  const resolve: ResolveName = async (name) => (name === "first.test" ? [{ address: "127.0.0.1", family: 4 }] : [{ address: answers[asked++] ?? "", family: 4 }]);
  await serving((_request, response) => void response.writeHead(302, { location: "http://second.test/" }).end(), async (server) => {
    const result = await fetch(`http://first.test:${server.port}/`, { web: { resolve } });
    assert.is(result.kind === "refused" && result.reason, "after a redirect: `second.test` is 127.0.0.1, a loopback address, not one of the public internet");
    assert.is(server.seen.length, 1);
  });
});

test("fetch refuses a name when any of its addresses is private", async () => {
  const resolve: ResolveName = async () => [{ address: "93.184.216.34", family: 4 }, { address: "::1", family: 6 }];
  const result = await fetch("http://mixed.test/", { web: { resolve }, allowedHosts: [] });
  assert.is(result.kind === "refused" && result.reason, "`mixed.test` is ::1, a loopback address, not one of the public internet");
});

test("fetch goes on to the next address when one does not answer", async () => {
  await serving((_request, response) => void response.end("second"), async (server) => {
    const resolve: ResolveName = async () => [{ address: "127.0.0.3", family: 4 }, { address: "127.0.0.1", family: 4 }];
    assert.equal(brief(await fetch(`http://two.test:${server.port}/`, { web: { resolve } })), [200, "second", "whole"]);
  });
});

test("fetch says when there is no such host, or nobody who knows", async () => {
  const failing = (code: string): ResolveName => () => Promise.reject(Object.assign(new Error(code), { code }));
  assert.equal(await Promise.all([
    fetch("http://missing.test/", { web: { resolve: failing("ENOTFOUND") } }),
    fetch("http://missing.test/", { web: { resolve: failing("EAI_AGAIN") } }),
    fetch("http://missing.test/", { web: { resolve: async () => [] } }),
  ]), [
    { kind: "unreachable", reason: "there is no host `missing.test`", help: ["look at its spelling"] },
    { kind: "unreachable", reason: "the name server did not say where `missing.test` is", help: ["try again later"] },
    { kind: "unreachable", reason: "there is no host `missing.test`", help: ["look at its spelling"] },
  ]);
});

test("fetch says that nothing listens", async () => {
  const server = await startServer(() => {});
  await server.close();
  assert.equal(withoutPort(await fetch(`${server.origin}/`), server.port), { kind: "unreachable", reason: `nothing listens at \`${localhost}\``, help: [] });
});

const codings: readonly (readonly [name: string, pack: (bytes: Buffer) => Uint8Array])[] = [
  ["gzip", zlib.gzipSync],
  ["x-gzip", zlib.gzipSync],
  ["br", (bytes) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 3 } })],
  ["deflate", zlib.deflateSync],
  ["deflate", zlib.deflateRawSync],
  ["zstd", zlib.zstdCompressSync],
  ["gzip, br", (bytes) => zlib.brotliCompressSync(zlib.gzipSync(bytes), { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 3 } })],
  ["Identity", (bytes) => bytes],
];

for (const [name, pack] of codings) {
  test(`fetch unpacks ${name} (${pack.name || "own"})`, async () => {
    await serving((_request, response) => void response.writeHead(200, { "content-encoding": name }).end(pack(Buffer.from("packed words"))), async (server) => {
      assert.equal(brief(await fetch(`${server.origin}/`)), [200, "packed words", "whole"]);
    });
  });
  test(`fetch stops unpacking a bomb in ${name} (${pack.name || "own"}) at the limit`, async () => {
    const bomb = pack(Buffer.alloc(30_000_000));
    await serving((_request, response) => void response.writeHead(200, { "content-encoding": name }).end(bomb), async (server) => {
      const before = process.memoryUsage().arrayBuffers;
      const result = await fetch(`${server.origin}/`, { bytesMax: 1_000 });
      assert.equal(result.kind === "response" && [result.body.length, result.isCut], [1_000, true]);
      assert.ok(process.memoryUsage().arrayBuffers - before < 10_000_000, "it kept what it unpacked");
    });
  });
}

test("fetch does not cut a body of just the limit", async () => {
  await serving((_request, response) => void response.writeHead(200, { "content-encoding": "gzip" }).end(zlib.gzipSync("12345")), async (server) => {
    assert.equal(brief(await fetch(`${server.origin}/`, { bytesMax: 5 })), [200, "12345", "whole"]);
    assert.equal(brief(await fetch(`${server.origin}/`, { bytesMax: 4 })), [200, "1234", "cut"]);
  });
});

test("fetch says which content coding it does not know", async () => {
  const named = async (coding: string): Promise<unknown> => serving((_request, response) => void response.writeHead(200, { "content-encoding": coding }).end("x"), (server) => fetch(`${server.origin}/`));
  assert.equal([await named("compress"), await named("gzip, sdch"), await named("gzip, gzip, gzip, gzip")], ["compress", "sdch", "gzip, gzip, gzip, gzip"].map((coding) => (
    { kind: "unreachable", reason: `\`127.0.0.1\` packs its answer as \`${coding}\`, which is not known here`, help: [] }
  )));
});

test("fetch says that a packed body is damaged or ends early", async () => {
  const packed = zlib.gzipSync("packed words");
  const head = (length: number): string => `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${length}\r\n\r\n`;
  assert.equal(await rawAnswer(`${head(9)}no gzip 1`, "end"), damaged);
  assert.equal(await rawAnswer(Buffer.concat([Buffer.from(head(packed.length - 9)), packed.subarray(0, packed.length - 9)]), "end"), damaged);
});

test("fetch says that a body ended early", async () => {
  assert.equal(await rawAnswer("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort", "end"), closedEarly);
  assert.equal(await rawAnswer("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nshort\r\n", "end"), closedEarly);
});

test("fetch says that the connection was reset or closed without an answer", async () => {
  assert.equal(await rawAnswer("HTTP/1.1 200 OK\r\n", "reset"), closedEarly);
  assert.equal(await rawAnswer("", "end"), closedEarly);
});

test("fetch reads no more than the content length says", async () => {
  assert.equal(await rawAnswer("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nshort and more", "end"), [200, "short", "whole"]);
});

test("fetch reads a body without a length up to the end of the connection", async () => {
  assert.equal(await rawAnswer("HTTP/1.1 200 OK\r\n\r\nall of this", "end"), [200, "all of this", "whole"]);
});

test("fetch says that an answer is no HTTP", async () => {
  assert.equal(await rawAnswer("SSH-2.0-OpenSSH_9.2\r\n", "end"), { kind: "unreachable", reason: `\`${localhost}\` does not answer in HTTP (HPE_INVALID_CONSTANT)`, help: [] });
});

test("fetch refuses two body lengths at once", async () => {
  const both = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n5\r\nshort\r\n0\r\n\r\n";
  assert.equal(await rawAnswer(both, "end"), { kind: "unreachable", reason: `\`${localhost}\` does not answer in HTTP (HPE_INVALID_TRANSFER_ENCODING)`, help: [] });
});

test("fetch stops at huge headers", async () => {
  assert.equal(await rawAnswer(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(100_000)}\r\n\r\n`, "hold"), { kind: "unreachable", reason: `\`${localhost}\` sent more than 65536 bytes of headers`, help: [] });
});

test("fetch gives up on a server that never answers", async () => {
  assert.equal(await rawAnswer("", "hold", { timeoutMs: 100 }), { kind: "timeout", limitMs: 100 });
});

test("fetch gives up on a body that never ends, however many bytes come", async () => {
  await serving((_request, response) => {
    const drip = setInterval(() => response.write("x"), 5);
    response.on("close", () => clearInterval(drip));
  }, async (server) => {
    assert.equal(await fetch(`${server.origin}/`, { timeoutMs: 150 }), { kind: "timeout", limitMs: 150 });
  });
});

test("fetch gives up on a packed body that never ends", async () => {
  await serving((_request, response) => {
    const packer = zlib.createGzip();
    packer.pipe(response.writeHead(200, { "content-encoding": "gzip" }));
    packer.write("start");
    packer.flush();
  }, async (server) => {
    assert.equal(await fetch(`${server.origin}/`, { timeoutMs: 100 }), { kind: "timeout", limitMs: 100 });
  });
});

test("fetch has one clock for all redirects", async () => {
  await serving((_request, response) => void setTimeout(() => response.writeHead(302, { location: "/" }).end(), 60), async (server) => {
    assert.equal(await fetch(`${server.origin}/`, { timeoutMs: 150 }), { kind: "timeout", limitMs: 150 });
  });
});

test("fetch gives up on a name server that never answers", async () => {
  assert.equal(await fetch("http://slow.test/", { timeoutMs: 50, web: { resolve: () => new Promise(() => {}) } }), { kind: "timeout", limitMs: 50 });
});

test("fetch is cancelled before, while and after the answer starts", async () => {
  await serving((request, response) => {
    if (request.path === "/body") response.write("start");
    cancels.shift()?.abort();
  }, async (server) => {
    assert.equal(await fetch(`${server.origin}/`, { signal: AbortSignal.abort() }), { kind: "cancelled" });
    const results = [await fetch(`${server.origin}/head`, { signal: signals[0]! }), await fetch(`${server.origin}/body`, { signal: signals[1]! })];
    assert.equal(results, [{ kind: "cancelled" }, { kind: "cancelled" }]);
    assert.is(server.seen.length, 2);
  });
});
const cancels = [new AbortController(), new AbortController()];
const signals = cancels.map((cancel) => cancel.signal);

const secureNames: ResolveName = async () => [{ address: "127.0.0.1", family: 4 }];

test("fetch refuses a certificate that signs itself, and says so", async () => {
  await serving((_request, response) => void response.end("never"), async (server) => {
    const result = await fetch(`https://secure.test:${server.port}/`, { web: { resolve: secureNames } });
    assert.equal(withoutPort(result, server.port), {
      kind: "unreachable",
      reason: "the certificate of `secure.test:PORT` is signed by itself and not by an authority",
      help: ["where a person trusts it: put its authority's certificate in a file and name that in NODE_EXTRA_CA_CERTS"],
    });
    assert.is(server.seen.length, 0);
  }, { isSecure: true });
});

test("fetch refuses a certificate for another name", async () => {
  await serving((_request, response) => void response.end("never"), async (server) => {
    const result = await fetch(`https://evil.test:${server.port}/`, { web: { resolve: secureNames, authorities: selfSigned.certificate } });
    assert.equal(withoutPort(result, server.port), { kind: "unreachable", reason: "the certificate of `evil.test:PORT` is for another name", help: [] });
  }, { isSecure: true });
});

test("fetch says that a server does not speak TLS", async () => {
  await serving((_request, response) => void response.end("plain"), async (server) => {
    const result = await fetch(`https://127.0.0.1:${server.port}/`);
    assert.equal(withoutPort(result, server.port), { kind: "unreachable", reason: `\`${localhost}\` does not answer in TLS`, help: [] });
  });
});

// Deno reads neither variable.
if (!isDeno) {
  test("fetch checks certificates whatever the environment says, and uses no proxy of it", async () => {
    await serving((_request, response) => void response.end("from the proxy"), async (proxy) => {
      await serving((_request, response) => void response.end("direct"), async (plain) => {
        await serving((_request, response) => void response.end("never"), async (secure) => {
          const program = `
            const { createWeb } = await import(${JSON.stringify(new URL("../../src/host/web.ts", import.meta.url).href)});
            const web = createWeb({ resolve: async () => [{ address: "127.0.0.1", family: 4 }] });
            for (const url of process.argv.slice(1)) {
              const result = await web.fetch({ url, signal: new AbortController().signal, bytesMax: 100, timeoutMs: 10000, redirectsMax: 0, allowedHosts: [new URL(url).host] });
              console.log(result.kind === "response" ? Buffer.from(result.body).toString() : result.kind);
            }`;
          const environment = { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_USE_ENV_PROXY: "1", HTTP_PROXY: proxy.origin, HTTPS_PROXY: proxy.origin, http_proxy: proxy.origin, https_proxy: proxy.origin, NO_PROXY: "" };
          const run = await promisify(execFile)(process.execPath, ["--no-warnings", "--input-type=module", "-e", program, "--", `http://plain.test:${plain.port}/`, `https://secure.test:${secure.port}/`], { env: environment });
          assert.equal([run.stdout, proxy.seen.length, secure.seen.length], ["direct\nunreachable\n", 0, 0]);
        }, { isSecure: true });
      });
    });
  });
}

test("fetch speaks TLS to the name, at the address that was checked", async () => {
  await serving((request, response) => void response.end(`hello ${request.headers["host"]}`), async (server) => {
    const result = await fetch(`https://secure.test:${server.port}/`, { web: { resolve: secureNames, authorities: selfSigned.certificate } });
    assert.equal(brief(result), [200, `hello secure.test:${server.port}`, "whole"]);
  }, { isSecure: true });
});

test("fetch refuses a redirect from https to http", async () => {
  await serving((_request, response) => void response.writeHead(301, { location: "http://secure.test/page" }).end(), async (server) => {
    const result = await fetch(`https://secure.test:${server.port}/`, { web: { resolve: secureNames, authorities: selfSigned.certificate } });
    assert.equal(result, {
      kind: "refused",
      reason: "`secure.test` redirects from https to http, where anybody on the way can read and change it",
      help: ["where that is wanted: fetch `http://secure.test` itself"],
    });
  }, { isSecure: true });
});

test.run();
