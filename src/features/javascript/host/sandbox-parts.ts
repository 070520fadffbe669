// Finds the sandbox's thread and its machine: beside this file, in the npm package, or inside the executable.
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

/** Roughly the amount of code that a function runs before V8 optimizes it: ten times the default. */
const TIER_BYTES = 13_000_000;
const TIER_BYTES_HERE = 130_000_000;

/** Compiles the module once for all threads, which share its optimized code. */
export function loadSandboxParts(): SandboxParts {
  const sea = process.getBuiltinModule("node:sea");
  if (sea?.isSea()) {
    const asset = (name: string): Buffer => Buffer.from(sea.getRawAsset(name) as ArrayBuffer);
    return { wasm: compile(asset("quickjs.wasm")), worker: asset("sandbox-worker.cjs").toString("utf8") };
  }
  const wasmFile = createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm");
  // In the npm package every file is JavaScript, and this file is a chunk beside the worker.
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return { wasm: compile(readFileSync(wasmFile)), worker: new URL(`./sandbox-worker.${ending}`, import.meta.url) };
}

/**
 * Compiles the module with a higher budget. The program cannot end until V8 has finished optimizing, which a single
 * short run in the machine would start: 30 ms of processor time. The module keeps its budget; the default is restored,
 * because V8 refuses code caches that were made with other flags.
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
