// The client's part of the official conformance suite, each scenario with a server of its own, through the same code as
// a user's call.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { someOf } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { compileCache } from "../program.ts";
import { Turns } from "../../src/tool/turns.ts";
import { type Context, driveClient } from "./client-conformance-driver.ts";

const test = suite("mcp/client: the conformance suite", { testMsMax: 120_000 });
const program = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);
const forward = fileURLToPath(new URL("./client-conformance-forward.mjs", import.meta.url));
const SCENARIO_MS_MAX = 90_000;

/** The scenarios of revision 2026-07-28 besides the core set, without variants of logging in. */
const others = [
  "request-metadata",
  "sep-2322-client-request-state",
  "http-standard-headers",
  "http-custom-headers",
  "http-invalid-tool-headers",
  "json-schema-ref-no-deref",
  "json-schema-2020-12-preservation",
  "auth/iss-wrong-issuer",
  "auth/metadata-issuer-mismatch",
];

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

/** Runs them in sequence and returns what failed. */
async function runOthers(): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const scenario of someOf(others, 3)) {
    const { exitCode, output } = await run(["--scenario", scenario]);
    if (exitCode !== 0 || !/Passed: ([1-9]\d*)\/\1, 0 failed/.test(output))
      failed.push(`${scenario}: exit code ${exitCode}\n${output.slice(-3_000)}`);
  }
  return failed;
}

let running: Promise<readonly [core: Ran, failed: readonly string[]]> | undefined;

/** Runs both parts at once, for both tests. */
function both(): NonNullable<typeof running> {
  return (running ??= Promise.all([run(["--suite", "core"]), runOthers()]));
}

test("the core set passes", async () => {
  const [{ exitCode, output }] = await both();
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

test("so does what the newest revision has beside it", async () => {
  const [, failed] = await both();
  assert.is(failed.join("\n"), "");
});

test.run();
