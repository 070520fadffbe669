// Finds the TypeScript compiler, for the program and its threads. The asset in the executable has 3.8 MB, and is read
// only here.
import { createRequire } from "node:module";
import process from "node:process";
import type { AmaroPlace } from "./amaro.ts";

export function amaroPlace(): AmaroPlace {
  const sea = process.getBuiltinModule("node:sea");
  if (sea?.isSea()) return { source: Buffer.from(sea.getRawAsset("amaro.cjs") as ArrayBuffer).toString("utf8") };
  return { file: createRequire(import.meta.url).resolve("amaro") };
}
