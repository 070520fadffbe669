// The sockets of `dottool mcp --http`: slow requests, strangers' requests, and requests with two addresses.
import { connect } from "node:net";
import { listen } from "../../src/features/web/host/web-server.ts";
import { assert, suite } from "../harness.ts";
import type { ListenOptions } from "../../src/core/tool/host.ts";

const test = suite("features/web/host/web-server.ts");

/** Returns all that the server sends until it closes the connection. */
async function answerTo(text: string, options: Partial<ListenOptions> = {}): Promise<string> {
  const server = await listen({
    hostname: "127.0.0.1",
    port: 0,
    bodyBytesMax: 100,
    onRequest: async (_request, { body }) => new Response(`body: ${new TextDecoder().decode(body)}`),
    ...options,
  });
  try {
    return await new Promise<string>((resolve, reject) => {
      const socket = connect(server.port, "127.0.0.1", () => void socket.write(text));
      let answer = "";
      socket.setEncoding("utf8").on("data", (part: string) => void (answer += part));
      socket.on("error", reject).on("close", () => resolve(answer));
    });
  } finally {
    await server.close();
  }
}

const firstLine = (answer: string): string => answer.split("\r\n", 1)[0] ?? "";

// Deno's server of `node:http` has no such limit, and splits the target of a request itself.
if (!("Deno" in globalThis)) {
  test("whoever sends a body too slowly is answered with 408", async () => {
    assert.equal(
      firstLine(
        await answerTo("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\nslow", { requestMsMax: 500 }),
      ),
      "HTTP/1.1 408 Request Timeout",
    );
    assert.equal(
      firstLine(
        await answerTo("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n", {
          requestMsMax: 500,
        }),
      ),
      "HTTP/1.1 408 Request Timeout",
      "in chunks without an end",
    );
    assert.equal(
      firstLine(await answerTo("POST / HTTP/1.1\r\nHost: local", { requestMsMax: 500 })),
      "HTTP/1.1 408 Request Timeout",
      "headers without an end",
    );
  });

  test("two addresses in one request are refused", async () => {
    for (const head of [
      "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example",
      "GET http://evil.example/ HTTP/1.1\r\nHost: localhost",
      "OPTIONS * HTTP/1.1\r\nHost: localhost",
    ]) {
      assert.equal(firstLine(await answerTo(`${head}\r\nConnection: close\r\n\r\n`)), "HTTP/1.1 400 Bad Request", head);
    }
  });
}

test("who may not ask is answered before the body has come, and others are not", async () => {
  const refuse = (request: Request): Response | undefined =>
    request.headers.has("authorization") ? undefined : new Response("who are you", { status: 401 });
  const stranger = await answerTo("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n", { refuse });
  assert.equal([firstLine(stranger), stranger.includes("who are you")], ["HTTP/1.1 401 Unauthorized", true]);
  const known = await answerTo(
    "POST / HTTP/1.1\r\nHost: localhost\r\nAuthorization: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi",
    { refuse },
  );
  assert.equal([firstLine(known), known.includes("body: hi")], ["HTTP/1.1 200 OK", true]);
});

test("a body in chunks that is too long is answered with 413", async () => {
  const chunk = `64\r\n${"x".repeat(100)}\r\n`;
  const answer = await answerTo(
    `POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}${chunk}`,
  );
  assert.equal(firstLine(answer), "HTTP/1.1 413 Payload Too Large");
});

test("the head of an answer does not wait for a body that comes later", async () => {
  let say: ((text: string) => void) | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      say = (text) => {
        controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      };
    },
  });
  const server = await listen({
    hostname: "127.0.0.1",
    port: 0,
    bodyBytesMax: 100,
    onRequest: async () => new Response(body),
  });
  try {
    const answer = await fetch(`http://127.0.0.1:${server.port}/`);
    say?.("later");
    assert.equal([answer.status, await answer.text()], [200, "later"]);
  } finally {
    await server.close();
  }
});

test.run();
