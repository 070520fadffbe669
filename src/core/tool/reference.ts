// The text between the braces of a step's texts: a value, a part of it, and a default.
import { isJsonObject, type Json } from "../schema/json.ts";

/** `{report.json.rows[0].name:-none}` */
export interface Reference {
  /** The reference as written, without the braces. */
  readonly text: string;
  /** `report` */
  readonly root: string;
  /** `["json", "rows", 0, "name"]`; numbers are items of lists. */
  readonly path: readonly (string | number)[];
  /** With `none`, it replaces a value that is absent or the empty text. */
  readonly default?: string;
}

const NAME = `[A-Za-z_][A-Za-z0-9_-]*`;
const SEGMENT = String.raw`\.[A-Za-z0-9_-]+|\[[0-9]+\]`;
const DEFAULT = `:-[^{}]*`;

/**
 * Source of a regular expression for the text between the braces, without groups. With the braces around it, it is
 * linear in the text.
 */
export const REFERENCE = `${NAME}(?:${SEGMENT})*(?:${DEFAULT})?`;

const WHOLE = new RegExp(`^(${NAME})((?:${SEGMENT})*)(${DEFAULT})?$`);
const EACH_SEGMENT = new RegExp(SEGMENT, "g");

/** Parses a reference. Returns undefined if the text between the braces is not one. */
export function parseReference(text: string): Reference | undefined {
  const [, root, segments = "", fallback] = WHOLE.exec(text) ?? [];
  if (root === undefined) return undefined;
  const path = [...segments.matchAll(EACH_SEGMENT)].map(([segment]) =>
    segment.startsWith(".") ? segment.slice(1) : Math.min(Number(segment.slice(1, -1)), Number.MAX_SAFE_INTEGER),
  );
  return { text, root, path, ...(fallback === undefined ? {} : { default: fallback.slice(":-".length) }) };
}

/** Returns what `valueOf` gives for the reference, or its default. `null` counts as absent. */
export function referencedValue(
  reference: Reference,
  valueOf: (root: string, path: Reference["path"]) => Json | undefined,
): Json | undefined {
  const value = valueOf(reference.root, reference.path);
  return value === undefined || value === null || value === "" ? (reference.default ?? value) : value;
}

/** Returns the part of a value at a path, or undefined. Inherited properties, such as `length`, do not count. */
export function valueAt(value: Json | undefined, path: Reference["path"]): Json | undefined {
  let inner = value;
  for (const segment of path) {
    if (typeof segment === "number") inner = isJsonList(inner) ? inner[segment] : undefined;
    else inner = isJsonObject(inner) && Object.hasOwn(inner, segment) ? inner[segment] : undefined;
    if (inner === undefined) return undefined;
  }
  return inner;
}

function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
