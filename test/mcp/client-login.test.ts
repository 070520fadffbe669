// Logins that a call needs after `dottool pin` has logged in, each command a process of its own, as the conformance suite
// tries them.
import { spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { assert, suite } from "../harness.ts";
import { compileCache, program } from "../program.ts";
import { needPrograms } from "../programs-needed.ts";

const test = suite("mcp/client: logins of later commands");
const conformance = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);
const client = fileURLToPath(new URL("./client-conformance-client.ts", import.meta.url));

for (const scenario of ["auth/scope-step-up", "auth/authorization-server-migration"])
  test(`the person logs in again during a call: ${scenario}`, async () => {
    needPrograms("script");
    const words = ["--scenario", scenario, "--spec-version", "2026-07-28", "--timeout", "80000"];
    const child = spawn("node", [conformance, "client", "--command", `node ${client}`, ...words], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...compileCache, CONFORMANCE_PROGRAM: JSON.stringify(program) },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    const exitCode = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
    assert.is(exitCode, 0, output.slice(-3_000));
  });

test.run();
