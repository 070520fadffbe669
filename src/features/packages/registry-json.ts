// What a registry answers, as JSON.
import type { Json } from "../../core/schema/json.ts";

/** Returns null for what is not JSON. */
export function jsonOf(bytes: Uint8Array): Json {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Json;
  } catch {
    return null;
  }
}
