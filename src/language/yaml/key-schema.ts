// The JSON Schema of YAML definitions, for editors, made from the tables of the readers.
import type { Json, JsonObject } from "../../schema/json.ts";
import type { DescribedKeys, KeyValue, ValueKind } from "./key-values.ts";

/** The schemas of maps, each once, by a unique name. */
export class KeySchemas {
  readonly #names = new Map<DescribedKeys, string>();
  readonly #made = new Map<string, JsonObject>();

  /** Returns all schemas that were referred to. */
  definitions(): JsonObject {
    return Object.fromEntries([...this.#made].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** Returns a reference to the schema of such a map. `prefix` goes before its name if that is not unique. */
  refer(keys: DescribedKeys, prefix: string): JsonObject {
    const known = this.#names.get(keys);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const plain = `${prefix}.${keys.owner
      .replace(/^(?:a|an) /, "")
      .replaceAll("`", "")
      .replaceAll(/[^A-Za-z0-9-]+/g, "-")}`;
    let name = plain;
    for (let count = 2; this.#made.has(name); count++) name = `${plain}-${count}`;
    this.#names.set(keys, name);
    this.#made.set(name, {});
    this.#made.set(name, this.#mapSchema(keys, prefix));
    return { $ref: `#/$defs/${name}` };
  }

  #mapSchema(keys: DescribedKeys, prefix: string): JsonObject {
    const { values, oneOf = [], required = [] } = keys;
    const present = oneOf.map((key) => ({ required: [key] }));
    return {
      type: "object",
      properties: Object.fromEntries(
        Object.entries(values).map(([key, value]) => [key, this.#valueSchema(value, prefix)]),
      ),
      additionalProperties: false,
      ...(required.length === 0 ? {} : { required }),
      ...(present.length === 0 ? {} : { oneOf: [...present, { not: { anyOf: present } }] }),
    };
  }

  #valueSchema({ kind, does, example }: KeyValue, prefix: string): JsonObject {
    return {
      description: does,
      ...this.#kindSchema(kind, prefix),
      ...(example === undefined ? {} : { examples: [example] }),
    };
  }

  #kindSchema(kind: ValueKind, prefix: string): JsonObject {
    switch (kind.is) {
      case "text":
        return textSchema(kind.words);
      case "flag":
        return { type: "boolean" };
      case "number":
        return {
          type: kind.isWhole ? "integer" : "number",
          ...(Number.isFinite(kind.least) ? { minimum: kind.least } : {}),
        };
      case "duration":
        return {
          anyOf: [
            { type: "integer", minimum: 0 },
            { type: "string", pattern: DURATION },
          ],
        };
      case "texts":
        return { anyOf: [textSchema(kind.words), { type: "array", items: textSchema(kind.words) }] };
      case "value":
      case "values":
        return {};
      case "map":
        return this.refer(kind.keys, prefix);
      case "maps": {
        const one = this.refer(kind.keys, prefix);
        return kind.isList ? { type: "array", items: one } : { anyOf: [one, { type: "array", items: one }] };
      }
      case "oneOfMaps":
        return { type: "array", items: { oneOf: kind.keys.map((keys) => this.refer(keys, prefix)) } };
      case "named":
        return {
          type: "object",
          ...(kind.of
            ? {
                additionalProperties:
                  kind.of.is === "text" ? { type: [...TEXT, "null"] } : this.#kindSchema(kind.of, prefix),
              }
            : {}),
        };
    }
  }
}

/** The types of text. Numbers and `true` also count as text, as they are written. */
const TEXT: readonly Json[] = ["string", "number", "boolean"];
const DURATION = "^\\d+(\\.\\d+)?[ \\t]*(ms|s|m|h)[ \\t]*$";

function textSchema(words: readonly string[] | undefined): JsonObject {
  return words ? { enum: words } : { type: TEXT };
}
