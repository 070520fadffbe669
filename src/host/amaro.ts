// The compiler that takes TypeScript apart: amaro, the one in Node. Rust in WebAssembly, which is broken for good by a
// text that runs over its stack.
import { createRequire } from "node:module";
import process from "node:process";

export interface Amaro {
  transformSync(
    code: string,
    options: { mode: "transform"; sourceMap: boolean; filename: string } | { mode: "strip-only" },
  ): { code: string; map?: string };
}

/** What amaro throws of a text that is wrong; the column counts from 0. Anything else that it throws has broken it. */
export interface AmaroError {
  readonly code: "UnsupportedSyntax" | "InvalidSyntax";
  readonly message: string;
  readonly startLine: number;
  readonly startColumn: number;
}

export function isAmaroError(error: unknown): error is AmaroError {
  return typeof error === "object" && error !== null && "startLine" in error;
}

/** A package, or its source in the executable, where it lies beside the program. */
export type AmaroPlace = { readonly file: string } | { readonly source: string };

/** A new one each time, with a memory of its own. */
export function loadAmaro(place: AmaroPlace): Amaro {
  if ("file" in place) {
    const load = createRequire(place.file);
    for (const file of Object.keys(load.cache)) if (/[\\/]amaro[\\/]/.test(file)) delete load.cache[file];
    return load(place.file) as Amaro;
  }
  const module: { exports: Partial<Amaro> } = { exports: {} };
  const compiled = process
    .getBuiltinModule("node:vm")
    .compileFunction(place.source, ["module", "exports", "require"], { filename: "dottool:amaro" }) as (
    ...words: unknown[]
  ) => void;
  compiled(module, module.exports, createRequire(process.execPath));
  return module.exports as Amaro;
}
