// The JSON Schema of values: what the test cases of a request have, where it has no schemas.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
/** What every object of JavaScript has. */
export const RESERVED_NAMES = new Set(["__proto__", "constructor", "prototype"]);

export function isParameterName(name: string): boolean {
  return NAME.test(name) && !RESERVED_NAMES.has(name);
}

/** Returns the schema that all of the values fit, for a request without one. */
export function inferSchema(values: readonly Json[]): JsonObject {
  const types = new Set(values.map(typeOf));
  const [type, ...others] = types;
  if (type === undefined || others.length > 0 || type === "null") return {};
  if (type === "array") {
    const items = values.flatMap((value) => value as readonly Json[]);
    return { type, ...(items.length === 0 ? {} : { items: inferSchema(items) }) };
  }
  if (type === "object") {
    const objects = values.filter(isJsonObject);
    const names = namesIn(objects);
    return names.length > 0 && names.every(isParameterName) ? inferObject(objects) : { type };
  }
  return { type };
}

/** Returns the schema of objects, with all their names: reading it refuses those that no parameter can have. */
export function inferObject(objects: readonly JsonObject[]): JsonObject {
  const names = namesIn(objects);
  return {
    type: "object",
    properties: Object.fromEntries(
      names.map((name) => [
        name,
        inferSchema(objects.flatMap((value) => (Object.hasOwn(value, name) ? [value[name] ?? null] : []))),
      ]),
    ),
    required: names.filter((name) => objects.every((value) => Object.hasOwn(value, name))),
  };
}

function namesIn(objects: readonly JsonObject[]): readonly string[] {
  return [...new Set(objects.flatMap((value) => Object.keys(value)))];
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}
