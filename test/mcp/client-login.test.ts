// Logins that a call needs after `dottool pin` has logged in, each command a process of its own, as the conformance suite
// tries them; at length, all that it requires of clients.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { isLong } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { compileCache, program } from "../program.ts";
import { needPrograms } from "../programs-needed.ts";

const test = suite("mcp/client: logins of later commands");
const conformance = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);
const client = fileURLToPath(new URL("./client-conformance-client.ts", import.meta.url));

const REVISION = "2026-07-28";
const again = ["auth/scope-step-up", "auth/authorization-server-migration"];

function required(): readonly string[] {
  const path = new URL(
    `../../node_modules/@modelcontextprotocol/conformance/requirements/${REVISION}.yaml`,
    import.meta.url,
  );
  return (parse(readFileSync(path, "utf8")) as { readonly client: readonly string[] }).client;
}

// One after the other: together, 32 of them start more programs than a machine runs within their time.
// The server of `request-metadata` has no tools.
for (const scenario of isLong ? required() : [...again, "request-metadata"])
  test(`the program passes ${scenario}${again.includes(scenario) ? ", where the person logs in again during a call" : ""}`, async () => {
    needPrograms("script");
    const words = ["--scenario", scenario, "--spec-version", REVISION, "--timeout", "80000"];
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
