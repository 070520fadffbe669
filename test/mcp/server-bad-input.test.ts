// Invalid, oversized and misdirected messages of clients: the server answers with the protocol's own errors and
// continues.
import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { isJsonObject } from "../../src/core/schema/json.ts";
import { amount } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";
import { hello, type Message, request, startLines } from "./line-client.ts";
import { type HttpServer, startHttp } from "./server-fixture.ts";

const test = suite("mcp/server bad input");

const CALLS = amount(300, 1_000);

const files = {
  "home/.config/dottool/config.yaml": "policy:\n  - decision: allow\n    tool: [echo_one, wait]\n    front_end: mcp\n",
  "home/.config/dottool/tools/echo_one.tool":
    "Says one.\n@name echo_one\n@title Say\n@wrapped run_command\n@command echo one\n@tags read\n",
  "home/.config/dottool/tools/wait.tool":
    "Waits.\n@name wait\n@title Wait\n@wrapped run_command\n@shell sh\n@script\n    echo $$ > pid.txt; echo begun; exec sleep 300\n@tags read\n",
};

test("lines that are no messages get JSON-RPC's errors, and what follows is answered", async () => {
  using bench = testProject(files);
  const lines = startLines(bench);
  try {
    lines.send(hello);
    await lines.count(1);
    const bad = [
      "garbage",
      "[]",
      `[${request(1, "ping")}]`,
      "7",
      "null",
      '{"jsonrpc":"1.0","id":5,"method":"ping"}',
      '{"jsonrpc":"2.0","id":6}',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      '{"jsonrpc":"2.0","id":8,"method":9}',
      '{"jsonrpc":"2.0","id":9,"method":"ping","params":[1]}',
    ];
    for (const line of bad) lines.send(line);
    lines.send("");
    const answers = (await lines.count(1 + bad.length)).slice(1);
    assert.equal(
      answers.map(({ id, error }) => [id, error?.code]),
      [
        [null, -32700],
        [null, -32600],
        [null, -32600],
        [null, -32600],
        [null, -32600],
        [5, -32600],
        [6, -32600],
        [null, -32600],
        [8, -32600],
        [9, -32600],
      ],
    );
    lines.send(request(20, "no/such/method"));
    lines.send(request(21, "tools/call", { name: 5 }));
    lines.send(request(22, "tools/list", { cursor: "yesterday" }));
    lines.send(`{"jsonrpc":"2.0","id":23,"method":"ping","params":{"text":"${"x".repeat(16 * 1024 * 1024)}"}}`);
    lines.send(request(24, "tools/call", { name: "echo_one", arguments: { two: 2 } }));
    lines.send(request(25, "tools/call", { name: "echo_one" }));
    const later = (await lines.count(1 + bad.length + 6)).slice(1 + bad.length);
    const byId = new Map(later.map((message) => [message.id, message]));
    assert.equal(
      [20, 21, 22, null].map((id) => byId.get(id)?.error?.code),
      [-32601, -32602, -32602, -32600],
    );
    assert.equal(
      [24, 25].map((id) => byId.get(id)?.result?.isError),
      [true, undefined],
    );
    assert.equal(await lines.end(), 0);
  } finally {
    await lines.end();
  }
});

test(`${CALLS} calls at once are each answered once, and the program ends when its input does, with what runs`, async () => {
  using bench = testProject(files);
  const lines = startLines(bench);
  try {
    lines.send(hello);
    for (let id = 0; id < CALLS; id++)
      lines.send(request(id, "tools/call", { name: "list_dir", arguments: { path: "." } }));
    const answers = (await lines.count(CALLS + 1)).slice(1);
    assert.equal(new Set(answers.map(({ id }) => id)).size, CALLS);
    assert.equal(answers.filter(({ result }) => result?.isError !== undefined).length, 0);
    lines.send(request("last", "tools/call", { name: "wait" }));
    assert.equal(await lines.end(), 0);
  } finally {
    await lines.end();
  }
});

for (const name of ["SIGTERM", "SIGINT"] as const) {
  test(`${name} ends the server and what it runs, and is no failure`, async () => {
    using bench = testProject(files);
    const lines = startLines(bench);
    try {
      lines.send(hello);
      lines.send(request("waits", "tools/call", { name: "wait", _meta: { progressToken: 1 } }));
      await lines.count(2);
      const child = Number(readFileSync(join(bench.folder, "pid.txt"), "utf8"));
      assert.equal([isRunning(child), await lines.signal(name), isRunning(child)], [true, 0, false]);
    } finally {
      await lines.end();
    }
  });
}

test("a server of a revision that nobody knows says which there are", async () => {
  using bench = testProject(files);
  const lines = startLines(bench);
  try {
    lines.send(
      request(1, "tools/list", {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2031-01-01",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      }),
    );
    assert.equal((await lines.count(1))[0]?.error?.code, -32022);
    lines.send(
      request(2, "initialize", {
        protocolVersion: "1999-01-01",
        capabilities: {},
        clientInfo: { name: "test", version: "1" },
      }),
    );
    assert.equal(
      ((await lines.count(2))[1]?.result as { protocolVersion?: string } | undefined)?.protocolVersion,
      "2025-11-25",
    );
  } finally {
    await lines.end();
  }
});

const anything = fc.oneof(
  fc.json(),
  fc.string(),
  fc
    .record(
      {
        jsonrpc: fc.constantFrom("2.0", "1.0"),
        id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
        method: fc.oneof(
          fc.string(),
          fc.constantFrom(
            "tools/list",
            "tools/call",
            "resources/read",
            "prompts/get",
            "ping",
            "initialize",
            "logging/setLevel",
            "notifications/cancelled",
          ),
        ),
        params: fc.oneof(
          fc.jsonValue(),
          fc.dictionary(
            fc.constantFrom("name", "arguments", "cursor", "uri", "_meta", "requestState", "inputResponses"),
            fc.jsonValue(),
          ),
        ),
      },
      { requiredKeys: [] },
    )
    .map((message) => JSON.stringify(message)),
);

/** Gives a request an id of its own, so that it must be answered whatever its parameters. */
function withOwnId(line: string, id: string): string {
  try {
    const message = JSON.parse(line) as unknown;
    if (isJsonObject(message) && message["jsonrpc"] === "2.0" && typeof message["method"] === "string")
      return JSON.stringify({ ...message, id });
  } catch {
    // A line that is not a message is answered as such.
  }
  return line;
}

test("whatever comes in, the server stays and answers every request and what follows", async () => {
  using bench = testProject(files);
  const lines = startLines(bench);
  try {
    lines.send(hello);
    let seen = 0;
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anything, { maxLength: 20 }), async (messages) => {
        const mark = `mark-${seen++}`;
        const sent = messages.map((message, index) =>
          withOwnId(message.replaceAll(/[\r\n]/g, " "), `${mark}-${index}`),
        );
        for (const line of sent) lines.send(line);
        lines.send(request(mark, "ping"));
        const missing = new Set([
          mark,
          ...sent.flatMap((line, index) => (line.includes(`"${mark}-${index}"`) ? [`${mark}-${index}`] : [])),
        ]);
        for (; missing.size > 0; taken++) missing.delete(String((await lines.count(taken + 1))[taken]?.id));
      }),
      { numRuns: 40 },
    );
    assert.equal(await lines.end(), 0);
  } finally {
    await lines.end();
  }
});

const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** Returns the answer over a plain connection, until the server closes it or has sent enough. */
function raw({ port }: HttpServer, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.setEncoding("utf8").on("data", (part: string) => {
      answer += part;
      if (/\r\n\r\n[^]*(\}|0\r\n\r\n|\n)$/.test(answer)) socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}

async function post(
  server: HttpServer,
  body: string,
  more: Readonly<Record<string, string>> = {},
): Promise<readonly [status: number, code: number | undefined]> {
  const response = await fetch(server.url, { method: "POST", headers: { ...headers, ...more }, body });
  const text = await response.text();
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return [response.status, json.startsWith("{") ? (JSON.parse(json) as Message).error?.code : undefined];
}

test("over HTTP, what is wrong, foreign or too large is refused, and a second server on the port says so", async () => {
  using bench = testProject(files);
  const server = await startHttp(bench, []);
  try {
    const authorization = { authorization: `Bearer ${server.token}` };
    const list = request(1, "tools/list");
    assert.equal(await post(server, list), [401, -32001], "no token");
    assert.equal(await post(server, list, { authorization: "Bearer wrong" }), [401, -32001], "another token");
    assert.equal(
      await post(server, list, { ...authorization, origin: "http://evil.example" }),
      [403, -32000],
      "another origin",
    );
    assert.equal(await post(server, list, authorization), [200, undefined]);
    assert.equal(await post(server, list, { ...authorization, "content-type": "text/plain" }), [415, -32600]);
    assert.equal(await post(server, "garbage", authorization), [400, -32700]);
    assert.equal(await post(server, "", authorization), [400, -32700]);
    assert.equal(await post(server, `[${list}]`, authorization), [400, -32600]);
    assert.equal(await post(server, request(1, "x".repeat(1024 * 1024)), authorization), [413, -32600]);
    assert.equal(await post(server, list, { ...authorization, "mcp-session-id": "nobody" }), [404, -32001]);
    assert.equal((await fetch(server.url.replace("/mcp", "/"), { headers: authorization })).status, 404);
    const bearer = `Authorization: Bearer ${server.token}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n`;
    const local = `Host: 127.0.0.1:${server.port}\r\n`;
    assert.ok(
      (
        await raw(
          server,
          `POST /mcp HTTP/1.1\r\nHost: evil.example\r\n${bearer}Content-Length: ${list.length}\r\n\r\n${list}`,
        )
      ).startsWith("HTTP/1.1 403"),
      "another host",
    );
    assert.ok(
      (await raw(server, `POST /mcp HTTP/1.1\r\n${local}${bearer}\r\n`)).startsWith("HTTP/1.1 400"),
      "a body without a length",
    );
    assert.ok(
      (
        await raw(
          server,
          `POST /mcp HTTP/1.1\r\n${local}${bearer}Transfer-Encoding: chunked\r\n\r\n${list.length.toString(16)}\r\n${list}\r\n0\r\n\r\n`,
        )
      ).startsWith("HTTP/1.1 200"),
      "in chunks",
    );
    assert.ok((await raw(server, "garbage\r\n\r\n")).startsWith("HTTP/1.1 400"), "no HTTP");
    const second = await bench.run(["mcp", "--http", String(server.port)]);
    assert.equal(
      [second.exitCode, second.stderr],
      [
        1,
        `failed[listen]: another program already listens at \`127.0.0.1:${server.port}\`; stop it, or give another port, or port 0 for any free port\n`,
      ],
    );
    assert.equal(await server.stop(), 0);
  } finally {
    await server.stop();
  }
});

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}

test("over HTTP, 32 calls run at once and others are told to come again; who disappears takes the processes along", async () => {
  const note =
    "Notes its process and waits.\n@name note\n@title Note\n@wrapped run_command\n@command sh -c 'echo $$ >> pids.txt; exec sleep 300'\n@tags read\n";
  using bench = testProject({
    "home/.config/dottool/tools/note.tool": note,
    "home/.config/dottool/config.yaml": "policy:\n  - decision: allow\n    tool: note\n    front_end: mcp\n",
  });
  const server = await startHttp(bench);
  try {
    const gone = new AbortController();
    const calls = Array.from({ length: 40 }, (_, id) =>
      fetch(server.url, {
        method: "POST",
        headers,
        signal: gone.signal,
        body: request(id, "tools/call", { name: "note" }),
      }),
    );
    const statuses = await Promise.all(calls.map((one) => one.then(({ status }) => status)));
    assert.equal(
      [statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 429).length],
      [32, 8],
    );
    const path = join(bench.folder, "pids.txt");
    while (!existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 5));
    gone.abort();
    const pids = (): readonly number[] => readFileSync(path, "utf8").trim().split("\n").map(Number);
    while (pids().some(isRunning)) await new Promise((resolve) => setTimeout(resolve, 5));
    for (;;) {
      const [status] = await post(
        server,
        request("again", "tools/call", { name: "list_dir", arguments: { path: "." } }),
      );
      if (status === 200) break;
    }
    assert.equal(await server.stop(), 0);
  } finally {
    await server.stop();
  }
});

test.run();
