// TypeScript for those who cannot read it: what Node cannot strip in plugins (enums, namespaces, parameter properties) is turned into
// JavaScript by amaro, and kept by content; the sandbox's code loses its types.
import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import nodeModule, { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import type { ErasedTypes } from "../tool/host-sandbox.ts";
import { makeFolders } from "./make-folders.ts";

/** Loose on purpose: a false hit costs a transform and changes nothing. */
const syntaxToTransform =
  /^\s*(?:export\s+)?(?:declare\s+)?(?:const\s+)?enum\s+[\w$]+\s*\{|^\s*(?:export\s+)?(?:namespace|module)\s+[\w$.]+\s*\{|constructor\s*\([^)]*\b(?:private|public|protected|readonly|override)\s|^\s*(?:export\s+)?import\s+[\w$]+\s*=/m;

export function hasSyntaxToTransform(code: string): boolean {
  return syntaxToTransform.test(code);
}

export function transformTypeScript(code: string, path: string, cacheFolder: string): string {
  nodeModule.setSourceMapsSupport?.(true, { nodeModules: false, generatedCode: false });
  const key = createHash("sha256").update(`amaro 1\0${path}\0${code}`).digest("hex").slice(0, 32);
  const folder = join(cacheFolder, "transformed-plugins");
  const file = join(folder, `${key}.mjs`);
  const known = readIfThere(file);
  if (known !== undefined) return known;
  const { code: javaScript, map } = (amaro ??= loadAmaro()).transformSync(code, { mode: "transform", sourceMap: true, filename: path });
  const made = map ? `${javaScript}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString("base64")}\n` : javaScript;
  keep(folder, file, made);
  return made;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function keep(folder: string, file: string, text: string): void {
  try {
    makeFolders(folder, 0o700);
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, file);
  } catch {
    // Without a cache the transform is made again next time.
  }
}

interface Amaro {
  transformSync(code: string, options: { mode: "transform"; sourceMap: boolean; filename: string } | { mode: "strip-only" }): { code: string; map?: string };
}

/** What amaro throws; the column counts from 0. */
interface AmaroError {
  readonly code: "UnsupportedSyntax" | "InvalidSyntax";
  readonly message: string;
  readonly startLine: number;
  readonly startColumn: number;
}

/** Types become blanks, so that everything else stays in its line and column. Kept by content: amaro takes 60 ms to load. */
export function eraseTypes(code: string, cacheFolder: string): ErasedTypes {
  const key = createHash("sha256").update(`amaro strip 1\0${code}`).digest("hex").slice(0, 32);
  const folder = join(cacheFolder, "erased-types");
  const file = join(folder, `${key}.js`);
  const known = readIfThere(file);
  if (known !== undefined) return { kind: "erased", code: known };
  try {
    const erased = (amaro ??= loadAmaro()).transformSync(code, { mode: "strip-only" }).code;
    keep(folder, file, erased);
    return { kind: "erased", code: erased };
  } catch (error) {
    if (!isAmaroError(error)) throw error;
    return { kind: "syntax", message: error.message, line: error.startLine, column: error.startColumn + 1, isUnsupported: error.code === "UnsupportedSyntax" };
  }
}

function isAmaroError(error: unknown): error is AmaroError {
  return typeof error === "object" && error !== null && "startLine" in error;
}

let amaro: Amaro | undefined;

/** In the executable, amaro lies beside the program as an asset of 3.8 MB, read only here. */
function loadAmaro(): Amaro {
  const sea = process.getBuiltinModule("node:sea");
  if (!sea?.isSea()) return createRequire(import.meta.url)("amaro") as Amaro;
  const module: { exports: Partial<Amaro> } = { exports: {} };
  const source = Buffer.from(sea.getRawAsset("amaro.cjs") as ArrayBuffer).toString("utf8");
  const compiled = process.getBuiltinModule("node:vm").compileFunction(source, ["module", "exports", "require"], { filename: "dottool:amaro" }) as (...words: unknown[]) => void;
  compiled(module, module.exports, createRequire(process.execPath));
  return module.exports as Amaro;
}
