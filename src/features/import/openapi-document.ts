// The parts of an OpenAPI description that its readers share: one operation, and values found through `$ref`.
import { posix } from "node:path";
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

/** A `$ref` that leads nowhere: what has it is left out. */
export class LostReference extends Error {}

/** Follows `$ref` within the description. Throws `LostReference`. */
export function resolved(value: Json | undefined, root: JsonObject): JsonObject {
  let found = value;
  for (let count = 0; count < REFERENCES_MAX && isJsonObject(found) && typeof found["$ref"] === "string"; count++) {
    const reference = found["$ref"];
    found = reference.startsWith("#") ? targetOf(reference, root) : undefined;
    if (found === undefined) throw new LostReference(reference);
  }
  return objectOf(found);
}

function targetOf(reference: string, root: JsonObject): Json | undefined {
  const keys = reference.replace(/^#\/?/, "").split("/");
  return keys
    .filter((key) => key !== "")
    .reduce<Json | undefined>((inner, key) => {
      const name = decoded(key).replaceAll("~1", "/").replaceAll("~0", "~");
      const object = objectOf(inner);
      return Object.hasOwn(object, name)
        ? object[name]
        : Array.isArray(inner)
          ? (inner as Json[])[Number(name)]
          : undefined;
    }, root);
}

/** Text of an address as it is if its `%` are no escapes. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Throws `LostReference` if the value, or what it refers to, has a `$ref` that leads nowhere. */
export function requireReferences(value: Json | undefined, root: JsonObject, seen = new Set<Json>()): void {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  if (isJsonObject(value) && typeof value["$ref"] === "string")
    return requireReferences(resolved(value, root), root, seen);
  for (const inner of Object.values(value)) requireReferences(inner, root, seen);
}

const DOCUMENTS_MAX = 200;

/**
 * Returns the description with the documents of other files to which it refers below `x-files`. `read(path)` returns
 * one; undefined if it cannot be read, and addresses are not read.
 */
export function withFiles(root: JsonObject, read: (path: string) => Json | undefined): JsonObject {
  const files = new Map<string, Json>();
  // What aliases of YAML share stays shared.
  const copies = new Map<Json, Json>();
  const inlined = (value: Json | undefined, folder: string): Json => {
    if (typeof value !== "object" || value === null) return value ?? null;
    const copy = copies.get(value) ?? copied(value, folder);
    copies.set(value, copy);
    return copy;
  };
  const copied = (value: JsonObject | readonly Json[], folder: string): Json => {
    if (!isJsonObject(value)) return value.map((one: Json) => inlined(one, folder));
    const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inlined(inner, folder)]));
    const reference = value["$ref"];
    if (typeof reference === "string") copy["$ref"] = movedReference(reference, folder);
    return copy;
  };
  // `folder` is that of the file in which the reference stands, and `own` that file; both are empty for the description.
  let own = "";
  const movedReference = (reference: string, folder: string): string => {
    const [file = "", pointer = ""] = reference.split("#", 2);
    if (/^[a-z][a-z0-9+.-]*:/i.test(file)) return reference;
    const path = file === "" ? own : posix.join(folder, decoded(file));
    if (path === "") return reference;
    if (!files.has(path) && files.size < DOCUMENTS_MAX) {
      const document = read(path);
      if (document === undefined) return path;
      files.set(path, {});
      const outer = own;
      own = path;
      files.set(path, inlined(document, posix.dirname(path)));
      own = outer;
    }
    return files.has(path) ? `#/x-files/${path.replaceAll("~", "~0").replaceAll("/", "~1")}${pointer}` : path;
  };
  const whole = objectOf(inlined(root, ""));
  return files.size === 0 ? root : { ...whole, "x-files": Object.fromEntries(files) };
}

export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
