// A client of the official SDK, connected to the real program, for the tests of the server.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { HANG_MS_MAX } from "../amount.ts";
import type { TestProject } from "../test-project.ts";

export const eras = ["2025-11-25", "2026-07-28"] as const;
export type Era = (typeof eras)[number];

export interface ConnectOptions {
  readonly era: Era;
  /** The words before the command. */
  readonly global?: readonly string[];
  /** Default: `mcp`. */
  readonly command?: string;
  /** The words after it. */
  readonly words?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Where it starts, relative to the bench's folder. */
  readonly cwd?: string;
  readonly capabilities?: ClientOptions["capabilities"];
  /** Called before the client says hello. */
  prepare?(client: Client): void;
}

export async function connectTo(
  bench: TestProject,
  {
    era,
    global = [],
    command: served = "mcp",
    words = [],
    cwd = ".",
    capabilities = {},
    environment = {},
    prepare,
  }: ConnectOptions,
): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities, versionNegotiation: { mode: era === "2025-11-25" ? "legacy" : { pin: era } } },
  );
  prepare?.(client);
  const { command, words: start, environment: own } = bench.program;
  await client.connect(
    new StdioClientTransport({
      command,
      args: [...start, ...global, served, ...words],
      env: { ...own, ...environment },
      cwd: join(bench.folder, cwd),
      stderr: "inherit",
    }),
    // A busy machine takes over a minute to start the program.
    { timeout: HANG_MS_MAX },
  );
  return client;
}

interface Connected {
  readonly transport?: { onmessage?: ((message: never, extra?: never) => void) | undefined } | undefined;
}

/**
 * Returns the progress that the client is told from now on. The SDK forgets what comes in one piece with the answer, as
 * on a busy machine.
 */
export function progressTold({ transport }: Connected): readonly object[] {
  const told: object[] = [];
  if (!transport) throw new Error("the client is not connected");
  const take = transport.onmessage;
  transport.onmessage = (message: never, extra?: never) => {
    const { method, params } = message as { method?: string; params?: { progressToken?: unknown } };
    if (method === "notifications/progress") {
      const { progressToken: _, ...progress } = params ?? {};
      told.push(progress);
    }
    take?.(message, extra);
  };
  return told;
}

export interface HttpServer {
  readonly url: string;
  readonly port: number;
  /** The token that is printed on standard error. */
  readonly token: string | undefined;
  readonly process: ChildProcess;
  stderr(): string;
  /** Returns the exit code. */
  stop(): Promise<number | null>;
}

/** `words` come after `mcp --http 0`. */
export function startHttp(
  bench: TestProject,
  words: readonly string[] = ["--without-token"],
  environment: Readonly<Record<string, string>> = {},
): Promise<HttpServer> {
  const { command, words: start, environment: own } = bench.program;
  const child = spawn(command, [...start, "mcp", "--http", "0", ...words], {
    cwd: bench.folder,
    env: { ...own, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  let stderr = "";
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    void closed.then((code) => reject(new Error(`the server ended with ${code}: ${stderr}`)));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      const [, url, port] = /serving at (http:\S+:(\d+)\/mcp)\n/.exec(stderr) ?? [];
      if (url === undefined) return;
      const stop = (): Promise<number | null> => {
        child.kill("SIGTERM");
        // Deno reports a signalled process as ended by the signal, whatever its exit code.
        return closed.then((code) => ("Deno" in globalThis ? 0 : code));
      };
      resolve({
        url,
        port: Number(port),
        token: /token: (\S+)\n/.exec(stderr)?.[1],
        process: child,
        stderr: () => stderr,
        stop,
      });
    });
  });
}

export interface ProgramRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program from a package with the Node on PATH. */
export function runPackaged(program: string, words: readonly string[], bench: TestProject): Promise<ProgramRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(packages, program), words, {
      cwd: bench.folder,
      env: { ...bench.program.environment },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: HANG_MS_MAX,
    });
    const texts = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (texts.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (texts.stderr += text));
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ ...texts, exitCode }));
  });
}

const packages = fileURLToPath(new URL("../../node_modules/.bin", import.meta.url));
