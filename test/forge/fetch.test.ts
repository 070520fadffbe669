// `fetch` of forged code over MCP, with a real server on the loopback interface: the declared host alone answers, and
// each request goes through the rules.
import { assert, suite } from "../harness.ts";
import { startServer, type WebServer } from "../base/web-server.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { type Forging, recordsIn, withForging } from "./forge-fixture.ts";

const test = suite("forge fetch");

const LARGE_BYTES = 2 * 1024 * 1024 + 1;

interface Hosts {
  readonly declared: WebServer;
  readonly other: WebServer;
}

async function withHosts(body: (hosts: Hosts) => Promise<void>): Promise<void> {
  const other = await startServer((_request, response) => response.end("the other"));
  const declared = await startServer(({ path, headers }, response) => {
    if (path === "/away") return response.writeHead(302, { location: `${other.origin}/x` }).end("moved");
    if (path === "/large") return response.end("x".repeat(LARGE_BYTES));
    if (path === "/whole") return response.end("x".repeat(LARGE_BYTES - 1));
    if (path === "/hangs") return response.writeHead(200).write("a");
    if (path === "/broken") return response.destroy();
    return response.end(JSON.stringify({ path, key: headers["x-key"] ?? "" }));
  });
  try {
    await body({ declared, other });
  } finally {
    await declared.close();
    await other.close();
  }
}

/** Asks for an address that its caller chooses, as its tests cannot show. */
const asking = ({ declared }: Hosts): JsonObject => ({
  name: "asking",
  description: "Asks a server.",
  inputSchema: { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
  outputSchema: {},
  implementation: {
    mode: "sandbox",
    code: 'const answer = await fetch(input.url, { headers: { "x-key": "k" } });\nconst text = await answer.text();\nreturn { status: answer.status, text: text.length > 99 ? text.length : text };',
    allowlist: [`fetch ${declared.host}`],
  },
  effects: ["read", "network"],
  testCases: [
    { input: { url: `${declared.origin}/a` }, expectedOutput: { status: 200, text: '{"path":"/a","key":"k"}' } },
    { input: { url: `${declared.origin}/b` }, expectedOutput: { status: 200, text: '{"path":"/b","key":"k"}' } },
  ],
});

const config = ({ declared, other }: Hosts, more = ""): Readonly<Record<string, string>> => ({
  "home/.config/dottool/config.yaml": `policy:\n${more}  - { decision: allow, tool: [asking, web_fetch], effect: [read, network] }\nweb:\n  allow_hosts: "${declared.host} ${other.host}"\n`,
});

const run = (forging: Forging, url: string): Promise<string> =>
  forging.call("run_forged", { name: "asking", arguments: { url } });

test("the declared host answers, and no other is reached, by its address or by a redirect", () =>
  withHosts((hosts) =>
    withForging(config(hosts), async (forging, bench) => {
      const { declared, other } = hosts;
      assert.match(await forging.forge(asking(hosts)), /^success true/);
      assert.equal(await forging.data("run_forged", { name: "asking", arguments: { url: `${declared.origin}/c` } }), {
        status: 200,
        text: '{"path":"/c","key":"k"}',
      });
      assert.match(
        await run(forging, `${declared.origin}/away`),
        "`127.0.0.1` redirects, and redirects are not followed",
      );
      for (const url of [
        `${other.origin}/`,
        `http://localhost:${other.port}/`,
        `http://${declared.host}@${other.host}/`,
        `http://[::1]:${other.port}/`,
        `http://2130706433:${other.port}/`,
      ])
        assert.match(await run(forging, url), "the code threw Error: `fetch` may not reach", url);
      assert.match(await run(forging, "file:///etc/passwd"), "`fetch` takes http and https");
      assert.equal(other.seen, []);
      // It is the caller who named another host.
      assert.equal(recordsIn(bench)[0]?.uses, { succeeded: 1, failed: 0, failedInARow: 0 });
    }),
  ));

test("an answer that is too large, breaks off or never ends fails with the host's name, and the next call works", () =>
  withHosts((hosts) =>
    withForging(config(hosts), async (forging) => {
      const { declared } = hosts;
      await forging.forge(asking(hosts));
      assert.match(await run(forging, `${declared.origin}/whole`), String(LARGE_BYTES - 1));
      assert.match(
        await run(forging, `${declared.origin}/large`),
        `the answer of \`${declared.host}\` has more than ${LARGE_BYTES - 1} bytes; ask for a part of it`,
      );
      assert.match(await run(forging, `${declared.origin}/broken`), `\`${declared.host}\`: `);
      assert.match(await run(forging, `${declared.origin}/hangs`), `\`${declared.host}\` did not answer in`);
      assert.match(await run(forging, `${declared.origin}/d`), '"/d');
    }),
  ));

test("a rule about `web_fetch` is one about `fetch` of forged code", () =>
  withHosts((hosts) =>
    withForging(
      config(
        hosts,
        `  - { decision: deny, tool: web_fetch, arguments: { url: "*/denied*" }, reason: not this page }\n`,
      ),
      async (forging) => {
        const { declared } = hosts;
        await forging.forge(asking(hosts));
        const before = declared.seen.length;
        assert.match(await run(forging, `${declared.origin}/denied`), "not allowed: not this page");
        assert.is(declared.seen.length, before);
        assert.match(await run(forging, `${declared.origin}/e`), '"/e');
      },
    ),
  ));

test.run();
