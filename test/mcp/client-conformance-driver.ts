// The client that the conformance suite tests. Goes the whole way of a user: `config.yaml`, a pin of every tool, a call
// of each through the gate.
import { asRemoteTools } from "../../src/features/mcp-client/remote-tools.ts";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { assemble } from "../../src/core/session/assemble.ts";
import type { OpenLoginPrompt } from "../../src/core/tool/login-prompt.ts";
import { pinTools } from "../../src/features/mcp-client/pin-tools.ts";
import { callTool } from "../../src/core/run/call-tool.ts";
import { sampleOf } from "../sample.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import type { Parameter } from "../../src/core/schema/parameter.ts";
import { endEverything } from "../../src/core/tool/endings.ts";

/** What a scenario says beside the address of its server. */
export interface Context {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[];
}

export interface Driven {
  readonly exitCode: number;
  readonly said: string;
}

/** One at a time: it has a home folder of its own, in this process. */
export async function driveClient(url: string, given: Context): Promise<Driven> {
  const before = { ...process.env };
  const { debug, warn } = console;
  // What the SDK says to developers.
  Object.assign(console, { debug: () => undefined, warn: () => undefined });
  const home = mkdtempSync(join(tmpdir(), "dottool-conformance-"));
  process.env["HOME"] = home;
  for (const name of ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"]) delete process.env[name];
  if (given.client_secret !== undefined) process.env["SUITE_SECRET"] = given.client_secret;
  mkdirSync(join(home, ".config/dottool"), { recursive: true });
  const oauth =
    given.client_id === undefined
      ? "client_metadata_url: https://conformance-test.local/client-metadata.json"
      : `client_id: ${given.client_id}, client_secret: env:SUITE_SECRET`;
  writeFileSync(
    join(home, ".config/dottool/config.yaml"),
    `web: {allow_hosts: localhost}\nmcp_servers:\n  suite:\n    url: ${url}\n    oauth: {${oauth}}\n`,
  );
  try {
    return await callAll(home, given);
  } finally {
    await endEverything();
    delete process.env["SUITE_SECRET"];
    Object.assign(process.env, before);
    Object.assign(console, { debug, warn });
    rmSync(home, { recursive: true, force: true });
  }
}

/** The suite's login page asks nothing and leads straight back. */
const openLoginPrompt: OpenLoginPrompt = async () => ({
  redirectUrl: "http://127.0.0.1:1/callback",
  visit: async ({ address }) =>
    new URL((await fetch(address, { redirect: "manual" })).headers.get("location") ?? "").searchParams,
  close: async () => undefined,
});

async function callAll(home: string, given: Context): Promise<Driven> {
  const said: string[] = [];
  let exitCode = 0;
  const { signal } = new AbortController();
  // It accepts every default that it is offered.
  const { session, host, remoteTools } = await assemble({
    cwd: home,
    approver: { ask: async () => "once" },
    person: { ask: async () => "" },
    openLoginPrompt,
  });
  const pins = await pinTools([{ server: "suite" }], {
    remote: asRemoteTools(await remoteTools()),
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
      said.push(pin.reason);
      exitCode = 1;
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
      said.push(`${name} ${JSON.stringify(args)}: ${JSON.stringify(result)}`);
    }
  }
  return { exitCode, said: said.map((line) => `${line}\n`).join("") };
}

/** Leaves out null, as callers do: the gate takes null for a missing value of any type. */
function withoutNulls(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}
