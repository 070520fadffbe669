// Whether two definitions mean the same, whatever their place.
import type { ToolDefinition } from "../../tool/definition.ts";

/**
 * Returns the path of the first part that differs, such as `parameters[0].default`, or undefined if the definitions are
 * equal.
 */
export function firstDifference(one: ToolDefinition, other: ToolDefinition): string | undefined {
  return difference(one, other, "");
}

/** Fields about the place in a file, not about the tool. */
const placeKeys = new Set(["span", "origin"]);

function difference(one: unknown, other: unknown, path: string): string | undefined {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return Object.is(one, other) ? undefined : path;
  if (Array.isArray(one) !== Array.isArray(other)) return path;
  const [left, right] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    if (placeKeys.has(key)) continue;
    const found = difference(
      left.get(key),
      right.get(key),
      Array.isArray(one) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}
