// Whether a text is short enough to be taken in.
import { Buffer } from "node:buffer";
import type { Failure } from "../tool/failure.ts";

/** `unit` as in "262144 bytes of code". */
export function overlong(text: string, bytesMax: number, unit: string): Failure | undefined {
  return byteLength(text) > bytesMax ? { kind: "limit", limit: bytesMax, unit, help: [] } : undefined;
}

export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}
