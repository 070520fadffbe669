// The compiler that erases types: amaro, the one in Node. It is Rust in WebAssembly; a text that overflows its stack
// breaks it permanently.
import { createRequire } from "node:module";
import process from "node:process";

export interface Amaro {
  transformSync(
    code: string,
    options: { mode: "transform"; sourceMap: boolean; filename: string } | { mode: "strip-only" },
  ): { code: string; map?: string };
}

/** The error that amaro throws for a wrong text; columns count from 0. Any other error means that amaro is broken. */
interface AmaroError {
  readonly code: "UnsupportedSyntax" | "InvalidSyntax";
  readonly message: string;
  readonly startLine: number;
  readonly startColumn: number;
}

export function isAmaroError(error: unknown): error is AmaroError {
  return typeof error === "object" && error !== null && "startLine" in error;
}

export type AmaroPlace = { readonly file: string } | { readonly source: string };

/** Returns a new compiler with its own memory. */
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
