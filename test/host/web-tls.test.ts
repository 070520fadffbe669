import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";
import { assert, suite } from "../harness.ts";
import type { ResolveName } from "../../src/features/web/host/web-resolve.ts";
import { selfSigned } from "../base/self-signed.ts";
import { brief, fetch, localhost, serving, withoutPort } from "./web-call.ts";

const test = suite("host/web-tls");
const isDeno = "deno" in process.versions;

const secureNames: ResolveName = async () => [{ address: "127.0.0.1", family: 4 }];

test("fetch refuses a certificate that signs itself, and says so", async () => {
  await serving(
    (_request, response) => void response.end("never"),
    async (server) => {
      const result = await fetch(`https://secure.test:${server.port}/`, { web: { resolve: secureNames } });
      assert.equal(withoutPort(result, server.port), {
        kind: "unreachable",
        reason: "the certificate of `secure.test:PORT` is self-signed",
        help: [
          "if a person trusts it: put the certificate of its authority in a file, and set NODE_EXTRA_CA_CERTS to that file",
        ],
      });
      assert.is(server.seen.length, 0);
    },
    { isSecure: true },
  );
});

test("fetch refuses a certificate for another name", async () => {
  await serving(
    (_request, response) => void response.end("never"),
    async (server) => {
      const result = await fetch(`https://evil.test:${server.port}/`, {
        web: { resolve: secureNames, authorities: selfSigned.certificate },
      });
      assert.equal(withoutPort(result, server.port), {
        kind: "unreachable",
        reason: "the certificate of `evil.test:PORT` is for another name",
        help: [],
      });
    },
    { isSecure: true },
  );
});

test("fetch says that a server does not speak TLS", async () => {
  await serving(
    (_request, response) => void response.end("plain"),
    async (server) => {
      const result = await fetch(`https://127.0.0.1:${server.port}/`);
      assert.equal(withoutPort(result, server.port), {
        kind: "unreachable",
        reason: `\`${localhost}\` does not speak TLS`,
        help: [],
      });
    },
  );
});

// Deno reads neither variable.
if (!isDeno) {
  test("fetch checks certificates whatever the environment says, and uses no proxy of it", async () => {
    await serving(
      (_request, response) => void response.end("from the proxy"),
      async (proxy) => {
        await serving(
          (_request, response) => void response.end("direct"),
          async (plain) => {
            await serving(
              (_request, response) => void response.end("never"),
              async (secure) => {
                const program = `
            const { createWeb } = await import(${JSON.stringify(new URL("../../src/features/web/host/web.ts", import.meta.url).href)});
            const web = createWeb({ resolve: async () => [{ address: "127.0.0.1", family: 4 }] });
            for (const url of process.argv.slice(1)) {
              const result = await web.fetch({ url, signal: new AbortController().signal, bytesMax: 100, timeoutMs: 10000, redirectsMax: 0, allowedHosts: [new URL(url).host] });
              console.log(result.kind === "response" ? Buffer.from(result.body).toString() : result.kind);
            }`;
                const environment = {
                  ...process.env,
                  NODE_TLS_REJECT_UNAUTHORIZED: "0",
                  NODE_USE_ENV_PROXY: "1",
                  HTTP_PROXY: proxy.origin,
                  HTTPS_PROXY: proxy.origin,
                  http_proxy: proxy.origin,
                  https_proxy: proxy.origin,
                  NO_PROXY: "",
                };
                const run = await promisify(execFile)(
                  process.execPath,
                  [
                    "--no-warnings",
                    "--input-type=module",
                    "-e",
                    program,
                    "--",
                    `http://plain.test:${plain.port}/`,
                    `https://secure.test:${secure.port}/`,
                  ],
                  { env: environment },
                );
                assert.equal([run.stdout, proxy.seen.length, secure.seen.length], ["direct\nunreachable\n", 0, 0]);
              },
              { isSecure: true },
            );
          },
        );
      },
    );
  });
}

test("fetch speaks TLS to the name, at the address that was checked", async () => {
  await serving(
    (request, response) => void response.end(`hello ${request.headers["host"]}`),
    async (server) => {
      const result = await fetch(`https://secure.test:${server.port}/`, {
        web: { resolve: secureNames, authorities: selfSigned.certificate },
      });
      assert.equal(brief(result), [200, `hello secure.test:${server.port}`, "whole"]);
    },
    { isSecure: true },
  );
});

test("fetch refuses a redirect from https to http", async () => {
  await serving(
    (_request, response) => void response.writeHead(301, { location: "http://secure.test/page" }).end(),
    async (server) => {
      const result = await fetch(`https://secure.test:${server.port}/`, {
        web: { resolve: secureNames, authorities: selfSigned.certificate },
      });
      assert.equal(result, {
        kind: "refused",
        reason: "`secure.test` redirects from https to http, which others on the network can read and change",
        help: ["if you want that, fetch `http://secure.test` itself"],
      });
    },
    { isSecure: true },
  );
});

test.run();
