// Checks the size of what goes into the sandbox and comes out of it.
import { Buffer } from "node:buffer";
import { isDeeper, type JsonObject } from "../../core/schema/json.ts";
import type { Failure } from "../../core/tool/failure.ts";
import { DEPTH_MAX, INPUT_BYTES_MAX } from "./limits.ts";

/** `unit` is as in "262144 bytes of code". */
export function overlong(text: string, bytesMax: number, unit: string): Failure | undefined {
  return byteLength(text) > bytesMax ? { kind: "limit", limit: bytesMax, unit, help: [] } : undefined;
}

export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

/** Returns the text for the machine, or why it is refused. */
export function inputText(values: JsonObject): { readonly text: string } | { readonly failure: Failure } {
  // The list of values, and the object around it, are ours.
  if (isDeeper(values, DEPTH_MAX + 2))
    return { failure: { kind: "limit", limit: DEPTH_MAX, unit: "levels of input", help: [] } };
  const text = JSON.stringify(values);
  const failure = overlong(text, INPUT_BYTES_MAX, "bytes of input");
  return failure ? { failure } : { text };
}
