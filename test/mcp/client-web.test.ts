// Servers over HTTP that redirect, deny access or never end; and which of a user's credentials are sent where.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { assert, suite } from "../harness.ts";
import { call, pin, textOf, withClient } from "./client-fixture.ts";

const test = suite("mcp/client: servers over HTTP");
const program = fileURLToPath(new URL("client-servers/embedding.ts", import.meta.url));

interface Site {
  readonly url: string;
  /** Method and `Authorization` of each request. */
  readonly requests: string[];
  readonly server: Server;
}

async function site(answer: (request: IncomingMessage, response: ServerResponse, body: string) => void): Promise<Site> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.headers.authorization ?? "-"}`);
    let body = "";
    request
      .setEncoding("utf8")
      .on("data", (text: string) => (body += text))
      .on("end", () => answer(request, response, body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    requests,
    server,
  };
}

interface Rpc {
  readonly id?: number;
  readonly method: string;
}

const tool = {
  name: "echo",
  description: "Echo",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
};

/** A server of the 2025-11-25 protocol with single JSON answers. `onCall` answers `tools/call`. */
function plainServer(onCall: (response: ServerResponse, id: number) => void): Parameters<typeof site>[0] {
  return (request, response, body) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method } = JSON.parse(body) as Rpc;
    if (id === undefined) return void response.writeHead(202).end();
    const give = (result: object): void =>
      void response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, ...result }));
    if (method === "initialize")
      return give({
        result: {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "plain", version: "1" },
        },
      });
    if (method === "tools/list") return give({ result: { tools: [tool] } });
    if (method === "tools/call") return onCall(response, id);
    return give({ error: { code: -32601, message: "no such method" } });
  };
}

const reasonOf = ([result]: Awaited<ReturnType<typeof pin>>): readonly string[] =>
  result?.state === "failed" ? [result.reason, ...result.help] : [result?.state ?? ""];

test("guardedFetch sends headers of the user to the server, and to nobody that it redirects to", async () => {
  process.env["MCP_TEST_TOKEN"] = "t0ken-t0ken";
  const elsewhere = await site((_request, response) => void response.writeHead(200).end());
  const first = await site(
    (_request, response) => void response.writeHead(307, { location: `${elsewhere.url}/steal` }).end(),
  );
  await withClient(
    {
      servers: { it: `url: "${first.url}/mcp"\n    headers: {Authorization: "Bearer secret:T"}` },
      config: "secrets:\n  T: env:MCP_TEST_TOKEN\n",
    },
    async (bench) => {
      assert.equal(reasonOf(await pin(await bench.open(), { server: "it" })), [
        `the MCP server \`it\` cannot be asked for its tools: \`127.0.0.1\` redirects the request and its body to \`${elsewhere.url}\``,
        `if you want that, send it to \`${elsewhere.url}\` itself`,
      ]);
    },
  );
  assert.equal([first.requests[0], elsewhere.requests], ["POST Bearer t0ken-t0ken", []]);
  delete process.env["MCP_TEST_TOKEN"];
  first.server.close();
  elsewhere.server.close();
});

test("a server that wants a key, has another path or is not there is told as that", async () => {
  const closed = await site(() => undefined);
  closed.server.close();
  await once(closed.server, "close");
  const locked = await site(
    (_request, response) => void response.writeHead(401, { "www-authenticate": "Bearer" }).end(),
  );
  const lost = await site((_request, response) => void response.writeHead(404).end("not here"));
  await withClient(
    {
      servers: {
        closed: `url: "${closed.url}/mcp"`,
        locked: `url: "${locked.url}/mcp"`,
        lost: `url: "${lost.url}/mcp"`,
      },
    },
    async (bench) => {
      const opened = await bench.open();
      const told = [
        ...reasonOf(await pin(opened, { server: "closed" })),
        ...reasonOf(await pin(opened, { server: "locked" })),
        ...reasonOf(await pin(opened, { server: "lost" })),
      ];
      assert.equal(
        told.map((line) => line.replaceAll(/127\.0\.0\.1:\d+/g, "HOST")),
        [
          "the MCP server `closed` cannot be asked for its tools: nothing listens at `HOST`",
          "the MCP server `locked` cannot be asked for its tools: it answered with status 401",
          "to log in, at a terminal: dottool pin locked",
          'or, if it needs a key: write `headers:` with `Authorization: "Bearer secret:NAME"` for it, and the place of the key below `secrets:`',
          "the MCP server `lost` cannot be asked for its tools: it answered with status 404",
          "check the path of its `url`",
        ],
      );
    },
  );
  locked.server.close();
  lost.server.close();
});

test("an answer without end, one that breaks off and one that is no JSON end the call", async () => {
  let how = "";
  const odd = await site(
    plainServer((response, id) => {
      response.writeHead(200, { "content-type": how === "text" ? "text/html" : "text/event-stream" });
      if (how === "text") return void response.end("<html>");
      if (how === "broken") return void response.write(`data: {"jsonrpc":"2.0","id":${id},`, () => response.destroy());
      const more = (): void => {
        while (!response.destroyed && response.write(`: ${"x".repeat(256 * 1024)}\n`));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    }),
  );
  await withClient(
    { servers: { it: `url: "${odd.url}/mcp"` }, tools: { echo: "@name echo\n@wrapped mcp:it/echo\n@timeout 5m\n" } },
    async (bench) => {
      const opened = await bench.open();
      await pin(opened, { server: "it" });
      const said = async (way: string): Promise<string> => (
        (how = way), textOf(await call(opened, "echo")).split("\n")[0] ?? ""
      );
      assert.is(
        await said("endless"),
        "failed[rejected]: the connection to the MCP server `it` was lost during the call: it answered with more than 67108864 bytes; the call may or may not have been done",
      );
      assert.match(await said("text"), /^failed\[rejected\]: the MCP server `it`: .*content type/i);
      assert.match(await said("broken"), /^failed\[rejected\]: the connection to the MCP server `it`/);
    },
  );
  odd.server.close();
});

test("an answer that breaks off ends its own call, and neither the others nor the connection", async () => {
  const waiting: (() => void)[] = [];
  let connections = 0;
  const server = plainServer((response, id) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const answer = (): void =>
      void response.end(
        `data: ${JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "late" }] } })}\n\n`,
      );
    // The first waits until the second breaks off; then the first is answered.
    if (waiting.push(answer) === 2) response.write("data: {", () => response.destroy());
    else response.flushHeaders();
    if (waiting.length > 2) answer();
  });
  const plain = await site((request, response, body) => {
    if (body.includes('"initialize"')) connections++;
    server(request, response, body);
  });
  await withClient(
    { servers: { it: `url: "${plain.url}/mcp"` }, tools: { echo: "@name echo\n@wrapped mcp:it/echo\n@timeout 5m\n" } },
    async (bench) => {
      const opened = await bench.open();
      await pin(opened, { server: "it" });
      const first = call(opened, "echo", { text: "first" });
      while (waiting.length < 1) await new Promise((resolve) => setImmediate(resolve));
      assert.match(
        textOf(await call(opened, "echo", { text: "second" })),
        /^failed\[rejected\]: the connection to the MCP server `it` was lost/,
      );
      waiting[0]?.();
      assert.is(textOf(await first), "late");
      assert.is(textOf(await call(opened, "echo", { text: "third" })), "late");
      // `pin` and all calls share it.
      assert.is(connections, 1);
    },
  );
  plain.server.close();
});

test("a program that embeds dottool ends its connections by closing its tools, the last of them", async () => {
  let connections = 0;
  const server = plainServer(
    (response, id) =>
      void response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "said" }] } })),
  );
  const plain = await site((request, response, body) => {
    if (body.includes('"initialize"')) connections++;
    server(request, response, body);
  });
  await withClient(
    { servers: { it: `url: "${plain.url}/mcp"` }, tools: { echo: "@name echo\n@wrapped mcp:it/echo\n@timeout 5m\n" } },
    async (bench) => {
      await pin(await bench.open(), { server: "it" });
      const before = connections;
      // A program of its own, because connections left by other tests would count.
      const child = spawn(
        process.execPath,
        [...("deno" in process.versions ? ["run", "-A"] : []), program, join(bench.folder, "tools")],
        {
          cwd: bench.folder,
          env: {
            ...process.env,
            XDG_CONFIG_HOME: join(bench.folder, "config"),
            XDG_STATE_HOME: join(bench.folder, "state"),
            XDG_CACHE_HOME: join(bench.folder, "cache"),
          },
          stdio: ["ignore", "pipe", "inherit"],
        },
      );
      let said = "";
      child.stdout.on("data", (text) => (said += String(text)));
      await once(child, "close");
      assert.equal(said.split("\n"), ["said", "said", "these tools are closed", "said", ""]);
      assert.is(connections - before, 2);
    },
  );
  plain.server.close();
});

test.run();
