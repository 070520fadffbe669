// JSON values as read-only data.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/**
 * Returns the value with `change` applied to every text in it, names included. If nothing changes, it is the same
 * value.
 */
export function mappedTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) {
    const items: readonly Json[] = value;
    const changed = items.map((item) => mappedTexts(item, change));
    return changed.every((item, index) => item === items[index]) ? value : changed;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value);
  const changed = entries.map(([name, item]) => [change(name), mappedTexts(item, change)] as const);
  return changed.every(([name, item], index) => name === entries[index]?.[0] && item === entries[index]?.[1])
    ? value
    : Object.fromEntries(changed);
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether a value is nested deeper; a list in a list is 2 deep. Deeply nested JSON parses, but is too deep for code that
 * walks it recursively.
 */
export function isDeeper(value: Json, depthMax: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depthMax === 0 || Object.values(value).some((inner) => isDeeper(inner, depthMax - 1));
}
