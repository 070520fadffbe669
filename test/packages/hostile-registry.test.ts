// A registry that attacks: it leads elsewhere, answers with anything, or without end. Nobody gets a login that is not
// meant for him, and each answer is a refusal.
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, createServer } from "node:net";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { askPackage, downloadArchive, pickVersion } from "../../src/features/packages/registry.ts";
import { Refusal } from "../../src/features/packages/refusal.ts";
import { searchPackages } from "../../src/features/packages/search.ts";
import type { Host } from "../../src/core/tool/host.ts";
import { selfSigned } from "../base/self-signed.ts";
import { assert, suite } from "../harness.ts";
import { answerJson, startProxy } from "./registry-proxy.ts";

const test = suite("packages/hostile-registry");
const NOWHERE = "http://127.0.0.1:9/";

type Answer = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Returns a host whose registry answers so, and what the registry was asked. */
async function hostOf(answer: Answer): Promise<{ readonly host: Host; readonly url: string }> {
  const { url } = await startProxy(NOWHERE, { answer });
  return { host: hostWith(`registry=${url}\n${loginFor(url)}`), url };
}

function hostWith(npmrc: string): Host {
  const host = createNodeHost();
  const instant = { ...host.instant, readBytes: () => Buffer.from(npmrc) };
  return { ...host, instant, environment: () => undefined };
}

function loginFor(url: string): string {
  return `${url.replace(/^https?:/, "")}:_authToken=secret-1789\n`;
}

async function refusalOf(work: () => unknown): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

test("a redirect takes the login along on the same host and port alone", async () => {
  const seen: (string | undefined)[] = [];
  const elsewhere = await startProxy(NOWHERE, {
    answer: ({ headers }, response) => {
      seen.push(headers.authorization);
      return answerJson(response, { name: "words", versions: {} });
    },
  });
  for (const place of [elsewhere.url.replace("127.0.0.1", "localhost"), elsewhere.url, undefined]) {
    const { host } = await hostOf(({ headers, url = "" }, response) => {
      seen.push(headers.authorization);
      if (url.startsWith("/moved")) return answerJson(response, { name: "words", versions: {} });
      response.writeHead(302, { location: place === undefined ? "/moved" : place + url.slice(1) });
      response.end();
      return true;
    });
    await askPackage("words", host);
  }
  const login = "Bearer secret-1789";
  assert.equal(seen, [login, undefined, login, undefined, login, login]);
});

/** Answers to https and to http on one port, as two servers behind the same name would. Returns the port. */
async function startBoth(answer: (isSecure: boolean, request: IncomingMessage, response: ServerResponse) => void) {
  const plain = createHttp((request, response) => answer(false, request, response));
  const secure = createHttps({ cert: selfSigned.certificate, key: selfSigned.key }, (request, response) =>
    answer(true, request, response),
  );
  const server = createServer((socket) => {
    socket.once("data", (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      (first[0] === TLS_HANDSHAKE ? secure : plain).emit("connection", socket);
      process.nextTick(() => socket.resume());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return (server.address() as AddressInfo).port;
}

const TLS_HANDSHAKE = 22;

test("a registry that leads from https to http is refused, and nothing is asked there", async () => {
  const asked: string[] = [];
  const port = await startBoth((isSecure, { url = "", headers }, response) => {
    asked.push(`${isSecure ? "https" : "http"} ${url} ${headers.authorization}`);
    if (url.endsWith("/there")) return void answerJson(response, { name: "words", versions: {} });
    response.writeHead(302, { location: url === "/secure" ? "/there" : `http://127.0.0.1:${port}/there` }).end();
  });
  const url = `https://127.0.0.1:${port}/`;
  const host = hostWith(`registry=${url}\nstrict-ssl=false\n${loginFor(url)}`);
  const archive = { name: "words", integrity: "sha512-AAAA" };
  const found = [
    await refusalOf(() => askPackage("words", host)),
    await refusalOf(() => downloadArchive({ ...archive, url: `${url}words.tgz` }, host)),
    await refusalOf(() => downloadArchive({ ...archive, url: `${url}secure` }, host)),
  ];
  const leads = "it leads from https to http: http://127.0.0.1/there";
  assert.equal(
    found.map((message) => message?.replaceAll(`:${port}`, "")),
    [
      `\`https://127.0.0.1/\` cannot be reached for \`words\`: ${leads}`,
      `\`https://127.0.0.1/words.tgz\` cannot be reached for \`words\`: ${leads}`,
      "the archive of `words` from `https://127.0.0.1/secure` does not have the hash that it should have",
    ],
  );
  assert.equal(
    // What does not have its hash is asked for again.
    [...new Set(asked)].map((line) => line.replace("Bearer secret-1789", "LOGIN")),
    ["https /words LOGIN", "https /words.tgz LOGIN", "https /secure LOGIN", "https /there LOGIN"],
  );
});

test("a registry whose certificate nobody vouches for is not asked, and gets no login", async () => {
  const asked: string[] = [];
  const port = await startBoth((_isSecure, { url = "" }, response) => {
    asked.push(url);
    answerJson(response, { name: "words", versions: {} });
  });
  const url = `https://127.0.0.1:${port}/`;
  const refused = await refusalOf(() => askPackage("words", hostWith(`registry=${url}\n${loginFor(url)}`)));
  assert.match(refused ?? "", "cannot be reached for `words`: ");
  assert.match(refused ?? "", "self-signed certificate");
  assert.equal(asked, []);
});

test("redirects without end, and to what is not the web, are refused", async () => {
  const found = [];
  for (const location of ["/words", "file:///etc/passwd", "ftp://a.example/"]) {
    const { host, url } = await hostOf((_request, response) => {
      response.writeHead(302, { location });
      response.end();
      return true;
    });
    found.push((await refusalOf(() => askPackage("words", host)))?.replaceAll(url, "<registry>/"));
  }
  const start = "`<registry>/` cannot be reached for `words`:";
  assert.equal(found, [
    `${start} maximum redirect reached at: <registry>/words`,
    `${start} Only HTTP(S) protocols are supported`,
    `${start} Only HTTP(S) protocols are supported`,
  ]);
});

test("whatever a registry says of a package, there is a version or a refusal", async () => {
  const dist = { tarball: "http://a.example/a.tgz", integrity: "sha512-x" };
  const documents: readonly unknown[] = [
    "",
    null,
    [],
    { name: "other", versions: {} },
    { name: "words", versions: [] },
    { name: "words", versions: { a: null, b: 1, c: {}, d: { version: "1.0.0", dist: [] } } },
    { name: "words", versions: { a: { version: "not one", dist } } },
    { name: "words", versions: { a: { version: "1.0.0", dist: { ...dist, tarball: "no address" } } } },
    { name: "words", versions: { a: { version: "2.0.0", dist } }, "dist-tags": { latest: {}, next: 1 } },
    { name: "words", versions: { a: { version: "2.0.0", dist } }, "dist-tags": "latest" },
    {
      name: "words",
      versions: { a: { version: "2.0.0", dist: { ...dist, signatures: [null, 1, {}], attestations: 7 } } },
    },
  ];
  const picked: string[] = [];
  for (const document of documents) {
    const { host } = await hostOf((_request, response) => answerJson(response, document));
    for (const range of ["^1.0.0", "latest", "constructor", "__proto__", ""])
      await refusalOf(async () => picked.push((await pickVersion(await askPackage("words", host), [range])).version));
  }
  // Without a tag that can be read, an empty range is any version.
  assert.equal(picked, ["2.0.0", "2.0.0", "2.0.0"]);
});

test("an answer without end is ended", async () => {
  const { host, url } = await hostOf((_request, response) => {
    response.writeHead(200);
    const more = (): void => {
      while (!response.destroyed && response.write("x".repeat(1024 * 1024)));
    };
    response.on("drain", more);
    more();
    return true;
  });
  assert.is(
    (await refusalOf(() => searchPackages("words", host)))?.replace(url, "<registry>/"),
    "`<registry>/` cannot be searched: has more than 67108864 bytes",
  );
});

test.run();
