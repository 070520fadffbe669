import { assert, suite } from "../harness.ts";
import type { ResolveName } from "../../src/features/web/host/web-resolve.ts";
import { startServer } from "../base/web-server.ts";
import { brief, fetch, localhost, serving, withoutPort } from "./web-call.ts";

const test = suite("host/web");

test("fetch returns status, address, headers and body", async () => {
  await serving(
    (_request, response) => {
      response.sendDate = false;
      response
        .writeHead(200, { "content-type": "text/plain", "set-cookie": ["a=1", "b=2"], __proto__: "x" })
        .end("hello");
    },
    async (server) => {
      const result = await fetch(`${server.origin}/page?q=1`);
      assert.equal(
        { ...result, body: [] },
        {
          kind: "response",
          status: 200,
          url: `${server.origin}/page?q=1`,
          headers: {
            "content-type": "text/plain",
            "set-cookie": "a=1, b=2",
            connection: "close",
            "transfer-encoding": "chunked",
          },
          body: [],
          isCut: false,
        },
      );
      assert.equal(brief(result), [200, "hello", "whole"]);
    },
  );
});

test("fetch sends its own headers and the caller's, and no other", async () => {
  await serving(
    (_request, response) => void response.end(),
    async (server) => {
      await fetch(`${server.origin}/`, {
        headers: {
          Accept: "text/html",
          "X-Mine": "1",
          Host: "evil.test",
          "Transfer-Encoding": "chunked",
          Connection: "upgrade",
        },
      });
      assert.equal(server.seen[0]?.headers, {
        "user-agent": "dottool",
        accept: "text/html",
        "x-mine": "1",
        "accept-encoding": "gzip, deflate, br, zstd",
        connection: "close",
        host: server.host,
      });
    },
  );
});

test("fetch posts a body", async () => {
  await serving(
    (request, response) => void response.end(`${request.method} ${request.body}`),
    async (server) => {
      assert.equal(
        brief(
          await fetch(`${server.origin}/`, {
            method: "POST",
            body: "é{}",
            headers: { "content-type": "application/json" },
          }),
        ),
        [200, "POST é{}", "whole"],
      );
      assert.is(server.seen[0]?.headers["content-length"], "4");
    },
  );
});

test("fetch answers with an empty body where there is none, whatever coding is named", async () => {
  await serving(
    (request, response) => {
      response.writeHead(request.path === "/204" ? 204 : 200, { "content-encoding": "gzip" }).end();
    },
    async (server) => {
      assert.equal(brief(await fetch(`${server.origin}/204`)), [204, "", "whole"]);
      assert.equal(brief(await fetch(`${server.origin}/200`)), [200, "", "whole"]);
    },
  );
});

test("fetch follows relative redirects", async () => {
  await serving(
    (request, response) => {
      const next: Record<string, string> = { "/a/b": "../c", "/c": "?d=é", "/c?d=%C3%A9": "//HOST/e" };
      const location = next[request.path]?.replace("HOST", String(request.headers["host"]));
      if (location === undefined) response.end(request.path);
      else response.writeHead(302, { location: Buffer.from(location).toString("latin1") }).end("ignored");
    },
    async (server) => {
      const result = await fetch(`${server.origin}/a/b`);
      assert.equal(
        [brief(result), result.kind === "response" && result.url],
        [[200, "/e", "whole"], `${server.origin}/e`],
      );
    },
  );
});

test("fetch stops at a loop of redirects", async () => {
  await serving(
    (_request, response) => void response.writeHead(301, { location: "/" }).end(),
    async (server) => {
      assert.equal(await fetch(`${server.origin}/`), {
        kind: "refused",
        reason: "`127.0.0.1` redirects again; the limit is 5 redirects",
        help: [],
      });
      assert.is(server.seen.length, 6);
    },
  );
});

test("fetch returns a redirect without a place to go", async () => {
  await serving(
    (_request, response) => void response.writeHead(302).end("no location"),
    async (server) => {
      assert.equal(brief(await fetch(`${server.origin}/`)), [302, "no location", "whole"]);
    },
  );
});

test("fetch judges every redirect like a first address", async () => {
  const targets: readonly (readonly [location: string, reason: string])[] = [
    [
      "http://169.254.169.254/latest/",
      "after a redirect: `169.254.169.254` is a cloud metadata address, not one on the public internet",
    ],
    ["http://2130706433:1234/", "after a redirect: `127.0.0.1` is a loopback address, not one on the public internet"],
    [
      "http://[::ffff:10.0.0.1]/",
      "after a redirect: `::ffff:a00:1` is a private address, not one on the public internet",
    ],
    [
      "http://inside.test/",
      "after a redirect: `inside.test` is 192.168.0.7, a private address, not one on the public internet",
    ],
    ["file:///etc/passwd", "after a redirect: `file:` addresses are not supported"],
    [
      "http://user:password@example.test/",
      "after a redirect: the address of `example.test` holds a user name or a password",
    ],
    [
      "http://example.test:22/",
      "after a redirect: port 22 is blocked, because it belongs to a service other than the web",
    ],
    ["http://[nonsense", "`127.0.0.1` redirects to something that is not a web address"],
  ];
  const resolve: ResolveName = async () => [{ address: "192.168.0.7", family: 4 }];
  await serving(
    (request, response) =>
      void response.writeHead(302, { location: targets[Number(request.path.slice(1))]?.[0] ?? "" }).end(),
    async (server) => {
      const actual = await Promise.all(
        targets.map(async ([location], at) => {
          const result = await fetch(`${server.origin}/${at}`, { web: { resolve } });
          return [location, result.kind === "refused" ? result.reason : result.kind];
        }),
      );
      assert.equal(actual, targets);
    },
  );
});

const callersHeaders = {
  authorization: "Bearer secret",
  cookie: "a=1",
  "x-subscription-token": "secret",
  "proxy-authorization": "secret",
  accept: "text/html",
  "accept-language": "de",
};

test("fetch keeps the caller's headers within an origin and drops what may be a credential across origins", async () => {
  await serving(
    (_request, response) => void response.end(),
    async (other) => {
      await serving(
        (request, response) =>
          void response
            .writeHead(302, { location: request.path === "/" ? "/inside" : `${other.origin}/outside` })
            .end(),
        async (first) => {
          await fetch(`${first.origin}/`, { headers: callersHeaders, allowedHosts: [first.host, other.host] });
          const own = { "user-agent": "dottool", "accept-encoding": "gzip, deflate, br, zstd", connection: "close" };
          assert.equal(
            first.seen.map((request) => request.headers),
            [
              { ...callersHeaders, ...own, host: first.host },
              { ...callersHeaders, ...own, host: first.host },
            ],
          );
          assert.equal(
            other.seen.map((request) => request.headers),
            [{ accept: "text/html", "accept-language": "de", ...own, host: other.host }],
          );
        },
      );
    },
  );
});

test("fetch turns a post into a get as browsers do, and posts again only to the same origin", async () => {
  await serving(
    (request, response) => {
      if (request.path.startsWith("/30")) response.writeHead(Number(request.path.slice(1)), { location: "/end" }).end();
      else response.end(`${request.method} ${request.body} ${request.headers["content-type"]}`);
    },
    async (server) => {
      const post = { method: "POST", body: "sent", headers: { "content-type": "text/plain" } } as const;
      const statuses = [301, 302, 303, 307, 308];
      const actual = await Promise.all(
        statuses.map(async (status) => brief(await fetch(`${server.origin}/${status}`, post))),
      );
      const get = [200, "GET  undefined", "whole"];
      const again = [200, "POST sent text/plain", "whole"];
      assert.equal(actual, [get, get, get, again, again]);
    },
  );
});

test("fetch does not send a body on to another origin", async () => {
  await serving(
    (_request, response) => void response.writeHead(307, { location: "http://other.test/" }).end(),
    async (server) => {
      assert.equal(withoutPort(await fetch(`${server.origin}/`, { method: "POST", body: "sent" }), server.port), {
        kind: "refused",
        reason: "`127.0.0.1` redirects the request and its body to `http://other.test`",
        help: ["if you want that, send it to `http://other.test` itself"],
      });
    },
  );
});

test("fetch asks for a name once, and connects to the address that was checked", async () => {
  // A name that leads to one server when it is checked, and to another right after.
  const answers = ["127.0.0.2", "127.0.0.1"];
  let asked = 0;
  const resolve: ResolveName = async () => [{ address: answers[asked++] ?? "127.0.0.1", family: 4 }];
  // Other tests take ports of 127.0.0.1, and none of 127.0.0.2.
  await serving(
    (_request, response) => void response.end("the other one"),
    async (other) => {
      await serving(
        (_request, response) => void response.end("the checked one"),
        async (checked) => {
          const result = await fetch(`http://rebind.test:${checked.port}/`, { web: { resolve } });
          assert.equal(
            [brief(result), asked, checked.seen.length, other.seen.length],
            [[200, "the checked one", "whole"], 1, 1, 0],
          );
        },
        { address: "127.0.0.2", port: other.port },
      );
    },
  );
});

test("fetch checks a name again at every redirect", async () => {
  const answers = ["127.0.0.1", "10.0.0.1"];
  let asked = 0;
  const resolve: ResolveName = async (name) =>
    name === "first.test" ? [{ address: "127.0.0.1", family: 4 }] : [{ address: answers[asked++] ?? "", family: 4 }];
  await serving(
    (_request, response) => void response.writeHead(302, { location: "http://second.test/" }).end(),
    async (server) => {
      const result = await fetch(`http://first.test:${server.port}/`, { web: { resolve } });
      assert.is(
        result.kind === "refused" && result.reason,
        "after a redirect: `second.test` is 127.0.0.1, a loopback address, not one on the public internet",
      );
      assert.is(server.seen.length, 1);
    },
  );
});

test("fetch refuses a name when any of its addresses is private", async () => {
  const resolve: ResolveName = async () => [
    { address: "93.184.216.34", family: 4 },
    { address: "::1", family: 6 },
  ];
  const result = await fetch("http://mixed.test/", { web: { resolve }, allowedHosts: [] });
  assert.is(
    result.kind === "refused" && result.reason,
    "`mixed.test` is ::1, a loopback address, not one on the public internet",
  );
});

test("fetch goes on to the next address when one does not answer", async () => {
  await serving(
    (_request, response) => void response.end("second"),
    async (server) => {
      const resolve: ResolveName = async () => [
        { address: "127.0.0.3", family: 4 },
        { address: "127.0.0.1", family: 4 },
      ];
      assert.equal(brief(await fetch(`http://two.test:${server.port}/`, { web: { resolve } })), [
        200,
        "second",
        "whole",
      ]);
    },
  );
});

test("fetch says when there is no such host, or nobody who knows", async () => {
  const failing =
    (code: string): ResolveName =>
    () =>
      Promise.reject(Object.assign(new Error(code), { code }));
  assert.equal(
    await Promise.all([
      fetch("http://missing.test/", { web: { resolve: failing("ENOTFOUND") } }),
      fetch("http://missing.test/", { web: { resolve: failing("EAI_AGAIN") } }),
      fetch("http://missing.test/", { web: { resolve: async () => [] } }),
    ]),
    [
      { kind: "unreachable", reason: "there is no host `missing.test`", help: ["check the spelling"] },
      { kind: "unreachable", reason: "the name server could not look up `missing.test`", help: ["try again later"] },
      { kind: "unreachable", reason: "there is no host `missing.test`", help: ["check the spelling"] },
    ],
  );
});

test("fetch says that nothing listens", async () => {
  const server = await startServer(() => {});
  await server.close();
  assert.equal(withoutPort(await fetch(`${server.origin}/`), server.port), {
    kind: "unreachable",
    reason: `nothing listens at \`${localhost}\``,
    help: [],
  });
});

test.run();
