// Where the sandbox's thread and its machine lie: beside this file, in the npm package, or inside the executable.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import process from "node:process";
import type { WasmModule } from "./sandbox-machine.ts";

export interface SandboxParts {
  readonly wasm: WasmModule;
  /** A file, or the program itself. */
  readonly worker: URL | string;
}

/** TypeScript knows it in browsers only. */
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: { readonly Module: new (bytes: Uint8Array) => WasmModule };
};

/** Of code that a function runs, roughly, before V8 makes it faster: its default, and ten times that. */
const TIER_BYTES = 13_000_000;
const TIER_BYTES_HERE = 130_000_000;

/** The module is compiled once and shared by all threads: what one has made of it, the next one finds. */
export function loadSandboxParts(): SandboxParts {
  const sea = process.getBuiltinModule("node:sea");
  if (sea?.isSea()) {
    const asset = (name: string): Buffer => Buffer.from(sea.getRawAsset(name) as ArrayBuffer);
    return { wasm: compile(asset("quickjs.wasm")), worker: asset("sandbox-worker.cjs").toString("utf8") };
  }
  const wasmFile = createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm");
  // In the npm package every file is JavaScript, and this one a chunk beside the worker.
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return { wasm: compile(readFileSync(wasmFile)), worker: new URL(`./sandbox-worker.${ending}`, import.meta.url) };
}

/**
 * The end of the program waits until V8 is done with its faster code, which a single short run in the machine makes it
 * begin: 30 ms of processor time. The module keeps the budget it was compiled under; the default is put back, because
 * V8 refuses code caches that were made under other flags.
 */
function compile(bytes: Uint8Array): WasmModule {
  if ("deno" in process.versions) return new WebAssembly.Module(bytes);
  const v8 = process.getBuiltinModule("node:v8");
  v8.setFlagsFromString(`--wasm-tiering-budget=${TIER_BYTES_HERE}`);
  try {
    return new WebAssembly.Module(bytes);
  } finally {
    v8.setFlagsFromString(`--wasm-tiering-budget=${TIER_BYTES}`);
  }
}
