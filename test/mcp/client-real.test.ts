// Tools of real servers from npm, over stdio and HTTP, and of dottool itself, which speaks the newest protocol.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { ToolEvent } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";
import { call, type ClientFixture, pin, serverLines, textOf, withClient } from "./client-fixture.ts";

const test = suite("mcp/client: real servers");
const packaged = (path: string): string =>
  fileURLToPath(new URL(`../../node_modules/@modelcontextprotocol/${path}`, import.meta.url));
const everything = packaged("server-everything/dist/index.js");

const tools = {
  say: "Say it again.\n\n@title Say\n@name say\n@wrapped mcp:every/echo\n",
  one_more:
    "Add one.\n\n@title One more\n@name one_more\n@wrapped mcp:every/get-sum\n@with a = {number}\n@with b = 1\n@param number {integer} [required min=0] What to add to\n",
  twice:
    "Add, then say.\n\n@title Twice\n@name twice\n@param number {integer} [required] What to add to\n@step sum uses mcp:every/get-sum\n  a = {number}\n  b = 1\n@step say uses say\n  message = {sum.output}\n@output {say.output}\n",
  weather: "@name weather\n@wrapped mcp:every/get-structured-content\n",
  long: "@name long\n@wrapped mcp:every/trigger-long-running-operation\n@with duration = 0.2\n@with steps = 2\n",
};

test("server-everything is wrapped, renamed, narrowed and used in steps", async () => {
  const events: ToolEvent[] = [];
  await withClient(
    { servers: { every: serverLines(everything, "stdio") }, tools, onEvent: (event) => void events.push(event) },
    async (bench) => {
      const opened = await bench.open();
      assert.equal(
        (await pin(opened, { server: "every" })).filter(({ state }) => state !== "new"),
        [],
      );
      assert.is(textOf(await call(opened, "say", { message: "hello" })), "Echo: hello");
      assert.is(textOf(await call(opened, "one_more", { number: 41 })), "The sum of 41 and 1 is 42.");
      assert.is(
        textOf(await call(opened, "one_more", { number: -1 })).split("\n")[1],
        "  number  expected at least 0, got -1",
      );
      assert.is(textOf(await call(opened, "twice", { number: 1 })), "Echo: The sum of 1 and 1 is 2.");
      const weather = await call(opened, "weather", { location: "Chicago" });
      assert.equal(
        weather.content.map(({ type }) => type),
        ["json"],
      );
      assert.is(weather.isUntrusted, true);
      assert.is(
        textOf(await call(opened, "weather", { location: "Paris" }))
          .split("\n")[1]
          ?.includes('expected "New York"|"Chicago"|"Los Angeles"'),
        true,
      );
      assert.match(textOf(await call(opened, "long")), /^Long running operation completed/);
      // The last one comes with the answer, and the SDK may drop it then.
      assert.equal(
        events.find(({ kind }) => kind === "progress"),
        { kind: "progress", text: "", done: 1, all: 2 },
      );
      assert.equal(
        (await call(opened, "mcp:every/get-tiny-image")).content.map(({ type }) => type),
        ["text", "image", "text"],
      );
      assert.is(bench.left().length, 1);
    },
  );
});

test("a server over stdio gets the environment that its user wrote, and nothing of ours", async () => {
  process.env["MCP_TEST_SECRET"] = "s3cret-value-1";
  process.env["MCP_TEST_OTHER"] = "not for servers";
  const servers = { every: serverLines(everything, "stdio").replace("env: {", "env: {KEY: secret:KEY, PLAIN: text, ") };
  await withClient({ servers, config: "secrets:\n  KEY: env:MCP_TEST_SECRET\n" }, async (bench) => {
    const opened = await bench.open();
    await pin(opened, { server: "every" });
    const shown = textOf(await call(opened, "mcp:every/get-env"));
    const environment = JSON.parse(shown) as Record<string, string>;
    assert.equal([environment["KEY"], environment["PLAIN"], environment["MCP_TEST_OTHER"]], ["•••", "text", undefined]);
  });
  delete process.env["MCP_TEST_SECRET"];
  delete process.env["MCP_TEST_OTHER"];
});

test("server-filesystem is held to the folder that a definition gives it", async () => {
  const read =
    "Read a note.\n\n@title Note\n@name note\n@wrapped mcp:files/read_text_file\n@with path = NOTES/{name}.txt\n@param name {string} [required] Which\n";
  await withClient(
    { servers: { files: serverLines(packaged("server-filesystem/dist/index.js"), "FOLDER") } },
    async (bench) => {
      mkdirSync(join(bench.folder, "memos"));
      writeFileSync(join(bench.folder, "memos/one.txt"), "a memo");
      writeFileSync(join(bench.folder, "secret.txt"), "not this one");
      retarget(bench, "FOLDER", bench.folder);
      bench.write("tools/note.tool", read.replaceAll("NOTES", join(bench.folder, "memos")));
      const opened = await bench.open();
      await pin(opened, { server: "files" });
      assert.is(
        textOf(await call(opened, "note", { name: "one" })),
        '{"type":"json","value":{"content":"a memo"},"sent":"a memo"}',
      );
      assert.is((await call(opened, "note", { name: "../secret" })).status, "failed");
    },
  );
});

function retarget(bench: ClientFixture, from: string, to: string): void {
  bench.write(
    "config/dottool/config.yaml",
    `mcp_servers:\n  files:\n    ${serverLines(packaged("server-filesystem/dist/index.js"), to).replace("NOTES_FOLDER", from)}\n`,
  );
}

test("server-everything over Streamable HTTP, and again after it was restarted", async () => {
  const port = await freePort();
  const start = async (): Promise<ReturnType<typeof spawn>> => {
    const child = spawn(
      process.execPath,
      [...("Deno" in globalThis ? ["run", "-A"] : []), everything, "streamableHttp"],
      { env: { PATH: process.env["PATH"] ?? "", PORT: String(port) }, stdio: ["ignore", "ignore", "pipe"] },
    );
    await once(child.stderr ?? child, "data");
    return child;
  };
  let server = await start();
  try {
    await withClient({ servers: { every: `url: "http://127.0.0.1:${port}/mcp"` }, tools }, async (bench) => {
      const opened = await bench.open();
      await pin(opened, { server: "every" });
      assert.is(textOf(await call(opened, "say", { message: "over HTTP" })), "Echo: over HTTP");
      assert.match(textOf(await call(opened, "long")), /^Long running operation completed/);
      server.kill("SIGKILL");
      await once(server, "exit");
      assert.is(textOf(await call(opened, "say", { message: "nobody" })).split(":")[0], "failed[rejected]");
      server = await start();
      assert.is(textOf(await call(opened, "say", { message: "back" })), "Echo: back");
    });
  } finally {
    server.kill("SIGKILL");
  }
});

test("dottool's own server gives its tools to another dottool, in the newest protocol", async () => {
  const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
  await withClient(
    {
      servers: { own: `${serverLines(main, "mcp")}\n    timeout: 120` },
      tools: {
        count: "Count words.\n\n@title Count\n@name count\n@wrapped mcp:own/date_convert\n@with date = 2026-01-01\n",
      },
    },
    async (bench) => {
      const opened = await bench.open();
      const pins = await pin(opened, { server: "own" });
      assert.is(
        pins.some((result) => result.tool === "date_convert" && result.state === "new"),
        true,
      );
      const { readPins } = await import("../../src/features/mcp-client/pin.ts");
      assert.is(readPins("own", opened.host).era, "modern");
    },
  );
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

test.run();
