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
const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: { readonly Module: new (bytes: Uint8Array) => WasmModule } };

/** The module is compiled once and shared by all threads: what one has made of it, the next one finds. */
export function loadSandboxParts(): SandboxParts {
  const sea = process.getBuiltinModule("node:sea");
  if (sea?.isSea()) {
    const asset = (name: string): Buffer => Buffer.from(sea.getRawAsset(name) as ArrayBuffer);
    return { wasm: new WebAssembly.Module(asset("quickjs.wasm")), worker: asset("sandbox-worker.cjs").toString("utf8") };
  }
  const wasmFile = createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm");
  // In the npm package every file is JavaScript, and this one a chunk beside the worker.
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return { wasm: new WebAssembly.Module(readFileSync(wasmFile)), worker: new URL(`./sandbox-worker.${ending}`, import.meta.url) };
}
