// A client of `dottool mcp` that sends raw lines and sees every answer.
import { spawn } from "node:child_process";
import type { TestProject } from "../test-project.ts";

export type Message = {
  readonly id?: unknown;
  readonly result?: {
    readonly content?: unknown;
    readonly tools?: unknown;
    readonly instructions?: unknown;
    readonly isError?: boolean;
  };
  readonly error?: { readonly code: number; readonly message: string };
};

export interface Lines {
  readonly pid: number;
  send(line: string): void;
  /** Sends text without a line end. */
  sendPart(text: string): void;
  /** Settles when there are that many messages. */
  count(wanted: number): Promise<readonly Message[]>;
  /** Returns the server's standard error so far. The bench's folder reads `<bench>`. */
  errors(): string;
  /** Returns the exit code. */
  end(): Promise<number | null>;
  signal(name: "SIGTERM" | "SIGINT"): Promise<number | null>;
}

/** `words` come after `mcp`. */
export function startLines({ program, folder }: TestProject, words: readonly string[] = []): Lines {
  const child = spawn(program.command, [...program.words, "mcp", ...words], {
    cwd: folder,
    env: program.environment,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  const messages: Message[] = [];
  const waiting: { readonly wanted: number; readonly resolve: (messages: readonly Message[]) => void }[] = [];
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    messages.push(...lines.map((line) => JSON.parse(line) as Message));
    for (const { wanted, resolve } of waiting) if (messages.length >= wanted) resolve(messages);
  });
  child.stdin.on("error", () => undefined);
  return {
    pid: child.pid ?? 0,
    send: (line) => void child.stdin.write(`${line}\n`),
    sendPart: (text) => void child.stdin.write(text),
    count: (wanted) =>
      new Promise((resolve) => (messages.length >= wanted ? resolve(messages) : waiting.push({ wanted, resolve }))),
    errors: () => said.replaceAll(folder, "<bench>"),
    end: () => {
      child.stdin.end();
      return closed;
    },
    signal: (name) => {
      child.kill(name);
      // Deno reports a signalled process as ended by the signal, whatever its exit code.
      return closed.then((code) => ("Deno" in globalThis ? 0 : code));
    },
  };
}

export const request = (id: number | string, method: string, params?: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
export const hello = request("hello", "initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
});
