// A call of `ask_model` with a `config.yaml` of its own: real files, processes and web, and a clock that the test
// controls.
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { askModel } from "../../src/features/models/ask-model.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import type { Outcome } from "../../src/core/tool/call.ts";
import type { Host, HostWeb } from "../../src/core/tool/host.ts";
import type { ToolContext } from "../../src/core/tool/tool.ts";
import { KEY } from "./model-server.ts";

export interface AskOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<ToolContext["limits"]>;
  readonly web?: HostWeb;
  /** Called when the tool waits. */
  readonly onSleep?: () => void;
  readonly onText?: (text: string) => void;
}

export interface Asked {
  readonly outcome: Outcome;
  /** The streamed output. */
  readonly stdout: string;
  readonly stderr: string;
  readonly progress: readonly string[];
  /** The values that the gate was told to mask. */
  readonly hidden: readonly string[];
  readonly sleptMs: readonly number[];
}

export interface ModelFixture {
  /** The absolute path of the folder that is home and working folder. */
  readonly folder: string;
  readonly host: Host;
  /** Writes a file below the folder. */
  write(path: string, text: string, mode?: number): void;
  context(options?: AskOptions): ToolContext;
  ask(args: JsonObject, options?: AskOptions): Promise<Asked>;
}

export async function withModels(config: string, body: (bench: ModelFixture) => Promise<void>): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dottool-models-")));
  const real = createNodeHost();
  const host: Host = { ...real, folders: { ...real.folders, home: folder, config: join(folder, "config") } };
  const write: ModelFixture["write"] = (path, text, mode = 0o600) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    chmodSync(join(folder, path), mode);
  };
  try {
    write("config/config.yaml", config);
    const bench = {
      folder,
      host,
      write,
      context: (options: AskOptions = {}) => contextOf(host, folder, options),
      ask: (args: JsonObject, options: AskOptions = {}) => ask(host, { args, folder, options }),
    };
    await body(bench);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns a usual config: one provider at `origin`, with a key from the environment. */
export function apiConfig(kind: "openai" | "anthropic", origin: string, more = ""): string {
  return `providers:\n  api: { kind: ${kind}, url: "${origin}/v1", model: small-1, key: env:API_KEY${more} }\n`;
}

function contextOf(
  host: Host,
  cwd: string,
  { environment = { API_KEY: KEY }, signal, limits, web }: AskOptions,
): ToolContext {
  const own: Readonly<Record<string, string>> = { PATH: process.env["PATH"] ?? "", HOME: cwd, ...environment };
  return {
    cwd,
    signal: signal ?? new AbortController().signal,
    host: {
      ...host,
      ...(web ? { web } : {}),
      environment: (name) => own[name],
      environmentNames: () => Object.keys(own),
      timestamp: () => "2026-01-01T00:00:00.000Z",
    },
    path: ["ask_model"],
    limits: { timeoutMs: 60_000, outputBytesMax: 1_000_000, ...limits },
    setting: async () => undefined,
    memory: new Map(),
    invoke: () => Promise.reject(new Error("ask_model calls no other tool")),
    hide: async () => undefined,
    emit: () => undefined,
  };
}

async function ask(
  host: Host,
  { args, folder, options }: { readonly args: JsonObject; readonly folder: string; readonly options: AskOptions },
): Promise<Asked> {
  const output = { stdout: "", stderr: "" };
  const decoders = { stdout: new TextDecoder("utf-8", { fatal: true }), stderr: new TextDecoder() };
  const progress: string[] = [];
  const hidden: string[] = [];
  const sleptMs: number[] = [];
  const base = contextOf(host, folder, options);
  const context: ToolContext = {
    ...base,
    host: {
      ...base.host,
      sleep: async (delayMs) => {
        sleptMs.push(delayMs);
        options.onSleep?.();
      },
    },
    hide: async (values) => void hidden.push(...values),
    emit: (event) => {
      if (event.kind === "progress") progress.push(event.text);
      if (event.kind !== "output") return;
      // Each event has whole characters, so that immediate display shows no halves.
      const text = decoders[event.stream].decode(event.bytes);
      output[event.stream] += text;
      options.onText?.(text);
    },
  };
  const outcome = await askModel.execute(args, context);
  return { outcome, ...output, progress, hidden, sleptMs };
}
