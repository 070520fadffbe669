// A client of the official SDK, connected to the real program: what the tests of the server stand on.
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { ToolBench } from "../tool-bench.ts";

export const eras = ["2025-11-25", "2026-07-28"] as const;
export type Era = (typeof eras)[number];

export interface ConnectOptions {
  readonly era: Era;
  /** After `mcp`. */
  readonly words?: readonly string[];
  readonly capabilities?: ClientOptions["capabilities"];
  /** Before the client says hello. */
  prepare?(client: Client): void;
}

export async function connectTo(bench: ToolBench, { era, words = [], capabilities = {}, prepare }: ConnectOptions): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { capabilities, versionNegotiation: { mode: era === "2025-11-25" ? "legacy" : { pin: era } } });
  prepare?.(client);
  const { command, words: start, environment } = bench.program;
  await client.connect(new StdioClientTransport({ command, args: [...start, "mcp", ...words], env: { ...environment }, cwd: bench.folder, stderr: "inherit" }));
  return client;
}
