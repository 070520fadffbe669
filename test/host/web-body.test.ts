import process from "node:process";
import zlib from "node:zlib";
import { assert, suite } from "../harness.ts";
import { brief, fetch, localhost, rawAnswer, serving } from "./web-call.ts";

const test = suite("host/web-body");

const closedEarly = {
  kind: "unreachable",
  reason: `\`${localhost}\` closed the connection before its answer was whole`,
  help: ["try again later"],
  isLost: true,
};
const damaged = {
  kind: "unreachable",
  reason: `the compressed answer of \`${localhost}\` is damaged or ends early`,
  help: ["try again later"],
};

const codings: readonly (readonly [name: string, pack: (bytes: Buffer) => Uint8Array])[] = [
  ["gzip", zlib.gzipSync],
  ["x-gzip", zlib.gzipSync],
  ["br", (bytes) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 3 } })],
  ["deflate", zlib.deflateSync],
  ["deflate", zlib.deflateRawSync],
  ["zstd", zlib.zstdCompressSync],
  [
    "gzip, br",
    (bytes) => zlib.brotliCompressSync(zlib.gzipSync(bytes), { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 3 } }),
  ],
  ["Identity", (bytes) => bytes],
];

for (const [name, pack] of codings) {
  test(`fetch unpacks ${name} (${pack.name || "own"})`, async () => {
    await serving(
      (_request, response) =>
        void response.writeHead(200, { "content-encoding": name }).end(pack(Buffer.from("packed words"))),
      async (server) => {
        assert.equal(brief(await fetch(`${server.origin}/`)), [200, "packed words", "whole"]);
      },
    );
  });
  test(`fetch stops unpacking a bomb in ${name} (${pack.name || "own"}) at the limit`, async () => {
    const bomb = pack(Buffer.alloc(30_000_000));
    await serving(
      (_request, response) => void response.writeHead(200, { "content-encoding": name }).end(bomb),
      async (server) => {
        const before = process.memoryUsage().arrayBuffers;
        const result = await fetch(`${server.origin}/`, { bytesMax: 1_000 });
        assert.equal(result.kind === "response" && [result.body.length, result.isCut], [1_000, true]);
        assert.ok(process.memoryUsage().arrayBuffers - before < 10_000_000, "it kept what it unpacked");
      },
    );
  });
}

test("fetch does not cut a body of just the limit", async () => {
  await serving(
    (_request, response) => void response.writeHead(200, { "content-encoding": "gzip" }).end(zlib.gzipSync("12345")),
    async (server) => {
      assert.equal(brief(await fetch(`${server.origin}/`, { bytesMax: 5 })), [200, "12345", "whole"]);
      assert.equal(brief(await fetch(`${server.origin}/`, { bytesMax: 4 })), [200, "1234", "cut"]);
    },
  );
});

test("fetch says which content coding it does not know", async () => {
  const named = async (coding: string): Promise<unknown> =>
    serving(
      (_request, response) => void response.writeHead(200, { "content-encoding": coding }).end("x"),
      (server) => fetch(`${server.origin}/`),
    );
  assert.equal(
    [await named("compress"), await named("gzip, sdch"), await named("gzip, gzip, gzip, gzip")],
    ["compress", "sdch", "gzip, gzip, gzip, gzip"].map((coding) => ({
      kind: "unreachable",
      reason: `\`127.0.0.1\` compresses its answer as \`${coding}\`, which is not supported`,
      help: [],
    })),
  );
});

test("fetch says that a packed body is damaged or ends early", async () => {
  const packed = zlib.gzipSync("packed words");
  const head = (length: number): string =>
    `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${length}\r\n\r\n`;
  assert.equal(await rawAnswer(`${head(9)}no gzip 1`, "end"), damaged);
  assert.equal(
    await rawAnswer(
      Buffer.concat([Buffer.from(head(packed.length - 9)), packed.subarray(0, packed.length - 9)]),
      "end",
    ),
    damaged,
  );
});

test("fetch says that a body ended early", async () => {
  assert.equal(await rawAnswer("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort", "end"), closedEarly);
  assert.equal(
    await rawAnswer("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nshort\r\n", "end"),
    closedEarly,
  );
});

test("fetch says that the connection was reset or closed without an answer", async () => {
  assert.equal(await rawAnswer("HTTP/1.1 200 OK\r\n", "reset"), closedEarly);
  assert.equal(await rawAnswer("", "end"), closedEarly);
});

test("fetch reads no more than the content length says", async () => {
  assert.equal(await rawAnswer("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nshort and more", "end"), [
    200,
    "short",
    "whole",
  ]);
});

test("fetch reads a body without a length up to the end of the connection", async () => {
  assert.equal(await rawAnswer("HTTP/1.1 200 OK\r\n\r\nall of this", "end"), [200, "all of this", "whole"]);
});

test("fetch says that an answer is no HTTP", async () => {
  assert.equal(await rawAnswer("SSH-2.0-OpenSSH_9.2\r\n", "end"), {
    kind: "unreachable",
    reason: `\`${localhost}\` does not speak HTTP (HPE_INVALID_CONSTANT)`,
    help: [],
  });
});

test("fetch refuses two body lengths at once", async () => {
  const both = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n5\r\nshort\r\n0\r\n\r\n";
  assert.equal(await rawAnswer(both, "end"), {
    kind: "unreachable",
    reason: `\`${localhost}\` does not speak HTTP (HPE_INVALID_TRANSFER_ENCODING)`,
    help: [],
  });
});

test("fetch stops at huge headers", async () => {
  assert.equal(await rawAnswer(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(100_000)}\r\n\r\n`, "hold"), {
    kind: "unreachable",
    reason: `\`${localhost}\` sent more than 65536 bytes of headers`,
    help: [],
  });
});

test("onBody gets what has come, unpacked, before the rest is sent, and waits", async () => {
  const pack = zlib.createGzip();
  const seen: unknown[] = [];
  await serving(
    (request, response) => {
      if (request.path === "/start") return void response.writeHead(302, { location: "/stream" }).end("not this");
      response.writeHead(203, { "content-encoding": "gzip", "x-kind": "stream" });
      pack.pipe(response);
      pack.write("first");
      pack.flush();
    },
    async (server) => {
      let isBusy = false;
      const result = await fetch(`${server.origin}/start`, {
        onBody: async (bytes, { status, headers }) => {
          assert.not(isBusy, "the next bytes came before the first were done with");
          isBusy = true;
          seen.push([Buffer.from(bytes).toString(), status, headers["x-kind"]]);
          if (seen.length === 1) pack.end("second");
          await new Promise((resolve) => void setImmediate(resolve));
          isBusy = false;
        },
      });
      assert.equal(
        [brief(result), seen],
        [
          [203, "firstsecond", "whole"],
          [
            ["first", 203, "stream"],
            ["second", 203, "stream"],
          ],
        ],
      );
    },
  );
});

test("onBody gets no more than the limit, and what came before a connection broke", async () => {
  const pieces: string[] = [];
  const onBody = (bytes: Uint8Array): void => void pieces.push(Buffer.from(bytes).toString());
  await serving(
    (_request, response) => void response.end("0123456789"),
    async (server) => {
      assert.equal(brief(await fetch(`${server.origin}/`, { bytesMax: 4, onBody })), [200, "0123", "cut"]);
    },
  );
  assert.equal(await rawAnswer("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf", "end", { onBody }), closedEarly);
  assert.equal(pieces, ["0123", "half"]);
});

test.run();
