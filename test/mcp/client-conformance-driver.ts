// The client that the conformance suite starts, with the address of its server as the last word. It does what a user
// does: `config.yaml`, a pin of every tool, and a call of each through the gate.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { OpenLoginPrompt } from "../../src/mcp/client/login.ts";
import type { JsonObject } from "../../src/schema/json.ts";
import type { Parameter } from "../../src/schema/parameter.ts";

const url = process.argv.at(-1) ?? "";
const home = mkdtempSync(join(tmpdir(), "dottool-conformance-"));
process.env["HOME"] = home;
for (const name of ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"]) delete process.env[name];
mkdirSync(join(home, ".config/dottool"), { recursive: true });
const given = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[];
};
if (given.client_secret !== undefined) process.env["SUITE_SECRET"] = given.client_secret;
const oauth =
  given.client_id === undefined
    ? "client_metadata_url: https://conformance-test.local/client-metadata.json"
    : `client_id: ${given.client_id}, client_secret: env:SUITE_SECRET`;
writeFileSync(
  join(home, ".config/dottool/config.yaml"),
  `web: {allow_hosts: localhost}\nmcp_servers:\n  suite:\n    url: ${url}\n    oauth: {${oauth}}\n`,
);

/** The suite's login page asks nothing and leads straight back. */
const openLoginPrompt: OpenLoginPrompt = async () => ({
  redirectUrl: "http://127.0.0.1:1/callback",
  visit: async ({ address }) =>
    new URL((await fetch(address, { redirect: "manual" })).headers.get("location") ?? "").searchParams,
  close: async () => undefined,
});

try {
  const { assemble } = await import("../../src/cli/assemble.ts");
  const { pinTools } = await import("../../src/mcp/client/pin-tools.ts");
  const { callTool } = await import("../../src/run/call-tool.ts");
  const { sampleOf } = await import("../../src/run/sample.ts");
  const { endEverything } = await import("../../src/tool/endings.ts");
  const { signal } = new AbortController();
  // It accepts every default that it is offered.
  const { session, host, remoteTools } = await assemble({
    cwd: home,
    approver: { ask: async () => "once" },
    person: { ask: async () => "" },
    openLoginPrompt,
  });
  const pins = await pinTools([{ server: "suite" }], {
    remote: await remoteTools(),
    host,
    signal,
    hide: async () => undefined,
  });
  const wanted = given.toolCalls;
  const sampled = (parameters: readonly Parameter[]): JsonObject =>
    Object.fromEntries(parameters.map((parameter) => [parameter.name, sampleOf(parameter) ?? null]));
  const echoed = pins.find((pin) => pin.tool === "json_schema_2020_12_tool");
  for (const pin of pins) {
    if (pin.state === "failed") {
      process.stderr.write(`${pin.reason}\n`);
      process.exitCode = 1;
      continue;
    }
    const name = `mcp:suite/${pin.tool}`;
    const tool = await session.registry.resolve(name);
    for (const args of wanted
      ? wanted.filter((call) => call.name === pin.tool).map((call) => withoutNulls(call.arguments))
      : [
          pin.tool === "json_schema_echo" && echoed && "pin" in echoed
            ? { schema: echoed.pin.inputSchema }
            : sampled(tool?.parameters ?? []),
        ]) {
      const result = await callTool({ id: "1", tool: name, arguments: args }, session, signal);
      process.stderr.write(`${name} ${JSON.stringify(args)}: ${JSON.stringify(result)}\n`);
    }
  }
  await endEverything();
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** Leaves out null, as callers do: the gate takes null for a missing value of any type. */
function withoutNulls(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}
