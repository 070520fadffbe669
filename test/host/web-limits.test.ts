import zlib from "node:zlib";
import { assert, present, suite } from "../harness.ts";
import { fetch, rawAnswer, serving } from "./web-call.ts";

const test = suite("host/web-limits");

test("fetch gives up on a server that never answers", async () => {
  assert.equal(await rawAnswer("", "hold", { timeoutMs: 100 }), { kind: "timeout", limitMs: 100 });
});

test("fetch gives up on a body that never ends, however many bytes come", async () => {
  await serving(
    (_request, response) => {
      const drip = setInterval(() => response.write("x"), 5);
      response.on("close", () => clearInterval(drip));
    },
    async (server) => {
      assert.equal(await fetch(`${server.origin}/`, { timeoutMs: 150 }), { kind: "timeout", limitMs: 150 });
    },
  );
});

test("fetch gives up on a packed body that never ends", async () => {
  await serving(
    (_request, response) => {
      const packer = zlib.createGzip();
      packer.pipe(response.writeHead(200, { "content-encoding": "gzip" }));
      packer.write("start");
      packer.flush();
    },
    async (server) => {
      assert.equal(await fetch(`${server.origin}/`, { timeoutMs: 100 }), { kind: "timeout", limitMs: 100 });
    },
  );
});

test("fetch has one clock for all redirects", async () => {
  await serving(
    (_request, response) => void setTimeout(() => response.writeHead(302, { location: "/" }).end(), 60),
    async (server) => {
      assert.equal(await fetch(`${server.origin}/`, { timeoutMs: 150 }), { kind: "timeout", limitMs: 150 });
    },
  );
});

test("fetch gives up on a name server that never answers", async () => {
  assert.equal(await fetch("http://slow.test/", { timeoutMs: 50, web: { resolve: () => new Promise(() => {}) } }), {
    kind: "timeout",
    limitMs: 50,
  });
});

test("fetch is cancelled before, while and after the answer starts", async () => {
  await serving(
    (request, response) => {
      if (request.path === "/body") response.write("start");
      cancels.shift()?.abort();
    },
    async (server) => {
      assert.equal(await fetch(`${server.origin}/`, { signal: AbortSignal.abort() }), { kind: "cancelled" });
      const results = [
        await fetch(`${server.origin}/head`, { signal: present(signals[0]) }),
        await fetch(`${server.origin}/body`, { signal: present(signals[1]) }),
      ];
      assert.equal(results, [{ kind: "cancelled" }, { kind: "cancelled" }]);
      assert.is(server.seen.length, 2);
    },
  );
});
const cancels = [new AbortController(), new AbortController()];
const signals = cancels.map((cancel) => cancel.signal);

test.run();
