// The thread that erases types: one text after the other, until one breaks the compiler. Started by
// typescript-thread.ts.
import { parentPort, workerData } from "node:worker_threads";
import { type AmaroPlace, isAmaroError, loadAmaro } from "./amaro.ts";
import type { ErasedTypes } from "../../../core/tool/host-sandbox.ts";
import { withMemoryLimit } from "./wasm-memory.ts";

/** `ready`: the compiler is loaded. `broken`: nothing can be erased here any more. */
export type FromTypeScriptWorker =
  | { readonly kind: "ready" }
  | { readonly kind: "erased"; readonly erased: ErasedTypes }
  | { readonly kind: "broken" };

/** 128 MiB; a text of 256 KiB takes at most 30 MiB. */
const MEMORY_PAGES_MAX = 2_048;

limitMemory();
const compiler = loadAmaro((workerData as { readonly amaro: AmaroPlace }).amaro);
parentPort?.on("message", (code: string) => tell(erase(code)));
tell({ kind: "ready" });

function tell(message: FromTypeScriptWorker): void {
  parentPort?.postMessage(message);
}

function erase(code: string): FromTypeScriptWorker {
  try {
    return {
      kind: "erased",
      erased: { kind: "erased", code: compiler.transformSync(code, { mode: "strip-only" }).code },
    };
  } catch (error) {
    if (!isAmaroError(error)) return { kind: "broken" };
    const { message, startLine: line, startColumn, code: kind } = error;
    return {
      kind: "erased",
      erased: { kind: "syntax", message, line, column: startColumn + 1, isUnsupported: kind === "UnsupportedSyntax" },
    };
  }
}

/** Limits the memory of the module, which the compiler creates itself from bytes in its source. */
function limitMemory(): void {
  const { WebAssembly } = globalThis as unknown as {
    readonly WebAssembly: { Module: new (bytes: Uint8Array) => object };
  };
  const { Module } = WebAssembly;
  // biome-ignore lint/complexity/useArrowFunction: it is called with `new`
  WebAssembly.Module = function (bytes: Uint8Array): object {
    return new Module(withMemoryLimit(bytes, MEMORY_PAGES_MAX));
  } as unknown as typeof Module;
}
