// What the conformance suite starts as its client: a person at a terminal who writes `config.yaml`, pins every tool and
// calls each, one command after the other, and logs in where that is wanted. Its word is the address of the suite's
// server.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { PinResult } from "../../src/features/mcp-client/pin-tools.ts";
import { serverParameters } from "../../src/features/mcp-client/server-schema.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { typeAtTerminal } from "../at-terminal.ts";
import type { Program } from "../program.ts";
import { sampleOf } from "../sample.ts";

/** What a scenario says beside the address of its server. */
interface Context {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[];
}

const program = JSON.parse(process.env["CONFORMANCE_PROGRAM"] ?? "") as Program;
const url = process.argv.at(-1) ?? "";
const given = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as Context;
const home = mkdtempSync(join(tmpdir(), "dottool-conformance-"));
const ADDRESS = /open this address:\s+(\S+)\r\n/g;

/** Returns the exit code, and what reached standard output. */
async function dottool(words: readonly string[]): Promise<{ readonly exitCode: number | null; readonly text: string }> {
  const line = [program.command, ...program.words, ...words].map(quoted).join(" ");
  const { text, exitCode } = await typeAtTerminal(`${line} > output`, {
    folder: home,
    environment: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      LANG: "C.UTF-8",
      ...(given.client_secret === undefined ? {} : { SUITE_SECRET: given.client_secret }),
    },
    onText: personWho(),
  });
  process.stderr.write(`$ ${words.join(" ")}\n${text}`);
  return { exitCode, text: readFileSync(join(home, "output"), "utf8") };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Accepts every default, and follows the suite's login page, which asks nothing and leads straight back. */
function personWho(): (text: string) => string {
  const visited = new Set<string>();
  let answered = 0;
  return (text) => {
    for (const [, address = ""] of text.matchAll(ADDRESS)) {
      if (visited.has(address)) continue;
      visited.add(address);
      void fetch(address, { redirect: "manual" })
        .then(({ headers }) => fetch(headers.get("location") ?? ""))
        // The page of the callback may be cut off: the command goes on as soon as it has the code.
        .catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
    }
    const asked = text.split(/^> /m).length - 1;
    const keys = "\n".repeat(asked - answered);
    answered = asked;
    return keys;
  };
}

/** Leaves out null, as callers do: the gate takes null for a missing value of any type. */
function withoutNulls(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

function argumentsFor(inputSchema: JsonObject): JsonObject {
  return Object.fromEntries(
    serverParameters(inputSchema).parameters.map((parameter) => [parameter.name, sampleOf(parameter) ?? null]),
  );
}

const oauth =
  given.client_id === undefined
    ? "client_metadata_url: https://conformance-test.local/client-metadata.json"
    : `client_id: ${given.client_id}, client_secret: env:SUITE_SECRET`;
mkdirSync(join(home, ".config/dottool"), { recursive: true });
writeFileSync(
  join(home, ".config/dottool/config.yaml"),
  `web: {allow_hosts: localhost}\nmcp_servers:\n  suite:\n    url: ${url}\n    oauth: {${oauth}}\n`,
);
try {
  const pinned = await dottool(["pin", "suite", "--json"]);
  const { pins } = JSON.parse(pinned.text) as { readonly pins: readonly PinResult[] };
  const sound = pins.flatMap((pin) => (pin.state === "failed" ? [] : [pin.pin]));
  const echoed = sound.find(({ name }) => name === "json_schema_2020_12_tool");
  for (const { name, inputSchema } of sound) {
    const calls = given.toolCalls?.filter((call) => call.name === name).map((call) => withoutNulls(call.arguments)) ?? [
      name === "json_schema_echo" && echoed ? { schema: echoed.inputSchema } : argumentsFor(inputSchema),
    ];
    for (const args of calls) {
      const { text } = await dottool(["call", `mcp:suite/${name}`, "--json", JSON.stringify(args)]);
      process.stderr.write(text);
    }
  }
  process.exitCode = pinned.exitCode ?? 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}
