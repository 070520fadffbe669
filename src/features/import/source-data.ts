// Data of YAML and JSON files, whose shape is not known.
import { parse } from "yaml";
import { Unreadable } from "./imported-tool.ts";

export type SourceMap = Readonly<Record<string, unknown>>;

/** Reads YAML, and so JSON. Throws `Unreadable`. */
export function parsedYaml(text: string): unknown {
  try {
    // A file of aliases to aliases would fill the memory.
    const value: unknown = parse(text, { maxAliasCount: 1_000, logLevel: "silent", uniqueKeys: false });
    refuseCircles(value);
    return value;
  } catch (error) {
    throw new Unreadable(error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : "it is not YAML");
  }
}

/** A value that is a part of itself, as `a: &a [*a]` makes it, would be read without end. */
function refuseCircles(value: unknown, around = new Set<unknown>(), checked = new Set<unknown>()): void {
  if (typeof value !== "object" || value === null || checked.has(value)) return;
  if (around.has(value)) throw new Unreadable("an alias makes a value a part of itself");
  around.add(value);
  for (const inner of Object.values(value)) refuseCircles(inner, around, checked);
  around.delete(value);
  checked.add(value);
}

export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Unreadable("it is not JSON");
  }
}

export function mapOf(value: unknown): SourceMap {
  return isMap(value) ? value : {};
}

export function isMap(value: unknown): value is SourceMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the text of a scalar; undefined for anything else. */
export function scalarOf(value: unknown): string | undefined {
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
}
