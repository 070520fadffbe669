// Whether what goes in and comes out is of a size that those who read it can bear.
import { Buffer } from "node:buffer";
import type { Json } from "../schema/json.ts";
import type { Failure } from "../tool/failure.ts";

/** `unit` as in "262144 bytes of code". */
export function overlong(text: string, bytesMax: number, unit: string): Failure | undefined {
  return byteLength(text) > bytesMax ? { kind: "limit", limit: bytesMax, unit, help: [] } : undefined;
}

export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

/** A list in a list is 2 deep. */
export function isDeeper(value: Json, depthMax: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depthMax === 0 || Object.values(value).some((inner) => isDeeper(inner, depthMax - 1));
}
