// The parts of an OpenAPI description that its readers share: one operation, and values found through `$ref`.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";

export const METHODS = ["get", "head", "post", "put", "patch", "delete"] as const;

export const REFERENCES_MAX = 20;

export interface Operation {
  readonly method: (typeof METHODS)[number];
  /** Absolute, with `{name}` for parameters. */
  readonly address: string;
  readonly operation: JsonObject;
  /** Parameters of all operations of the path. */
  readonly shared: readonly Json[];
  readonly root: JsonObject;
}

/** Follows `$ref` within the description. */
export function resolved(value: Json | undefined, root: JsonObject): JsonObject {
  let found = value;
  for (let count = 0; count < REFERENCES_MAX && isJsonObject(found) && typeof found["$ref"] === "string"; count++)
    found = found["$ref"]
      .replace(/^#\/?/, "")
      .split("/")
      .reduce<Json | undefined>(
        (inner, key) => objectOf(inner)[decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~")],
        root,
      );
  return objectOf(found);
}

export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
