// The client's part of the official conformance suite, each scenario with a server of its own, through the same code as
// a user's call.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { isLong } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { compileCache } from "../program.ts";
import { Turns } from "../../src/core/tool/turns.ts";
import { type Context, driveClient } from "./client-conformance-driver.ts";

const test = suite("mcp/client: the conformance suite");
const program = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);
const forward = fileURLToPath(new URL("./client-conformance-forward.mjs", import.meta.url));
const SCENARIO_MS_MAX = 90_000;

/** The revision whose required scenarios are run, all of them. */
const REVISION = "2026-07-28";

interface Ran {
  readonly exitCode: number | null;
  readonly output: string;
}

const turns = new Turns(1);
/** Drives the client in this process, which has loaded it: the suite would start and load it for each scenario. */
const drivers = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (text: string) => (body += text));
  request.on("end", () => {
    const { url, context } = JSON.parse(body) as { url: string; context: Context };
    void turns
      .take(new AbortController().signal, () => driveClient(url, context))
      .catch((error: unknown) => ({ exitCode: 1, said: error instanceof Error ? (error.stack ?? "") : String(error) }))
      .then((driven) => response.end(JSON.stringify(driven)));
  });
});

/** The suite runs on Node alone; the client on whatever runs the tests. */
async function run(words: readonly string[]): Promise<Ran> {
  if (!drivers.listening) await once(drivers.listen(0, "127.0.0.1").unref(), "listening");
  const command = `node ${forward} ${(drivers.address() as AddressInfo).port}`;
  return new Promise((resolve, reject) => {
    const child = spawn(
      "node",
      [program, "client", "--command", command, ...words, "--timeout", String(SCENARIO_MS_MAX)],
      { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...compileCache } },
    );
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ exitCode, output }));
  });
}

// On each push, what the newest revision requires is enough.
if (isLong)
  test("the core set passes", async () => {
    const { exitCode, output } = await run(["--suite", "core"]);
    assert.equal(
      [
        exitCode,
        /^✓ tools_call: [1-9]\d* passed, 0 failed/m.test(output),
        /^Total: [1-9]\d* passed, 0 failed/m.test(output),
      ],
      [0, true, true],
      output.slice(-3_000),
    );
  });

test("everything that the newest revision requires passes, also when a server moves to another login server", async () => {
  const { exitCode, output } = await run(["--requirements", REVISION]);
  // Extensions are run as well, and not required.
  const [results = "", unscored = ""] = output.split(/^Not scored for /m);
  const extensions = new Set([...unscored.matchAll(/^ {2}[✓✗] (\S+) \(extension\)$/gm)].map(([, name]) => name));
  const required = [...results.matchAll(/^([✓✗]) (\S+): /gm)].filter(([, , name]) => !extensions.has(name));
  assert.equal(
    [exitCode, required.flatMap(([, mark, name]) => (mark === "✓" ? [] : [name])), required.length >= 32],
    [0, [], true],
    output.slice(-3_000),
  );
});

test.run();
