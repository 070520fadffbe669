// The JSON Schema of every YAML definition. It decides the format of a file like the readers.
import type { Json, JsonObject } from "../../core/schema/json.ts";
import { commandKeys } from "./custom-tools/command-keys.ts";
import { toolKeys as customKeys } from "./custom-tools/keys.ts";
import { toolKeys as forgeKeys } from "./forge-tool/keys.ts";
import { stepTypes, toolKeys as metaKeys } from "./meta-tools/keys.ts";
import type { DescribedKeys, KeyValue, ValueKind } from "./described-keys.ts";

export function toolsSchema(): JsonObject {
  const schemas = new KeySchemas();
  const [forge, meta, custom] = [
    schemas.refer(forgeKeys, "forge"),
    schemas.refer(metaKeys, "meta"),
    schemas.refer(customKeys, "custom"),
  ];
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A tool of dottool in YAML",
    description: "Custom-tools YAML, meta-tools and forge tools; made of the keys that dottool reads.",
    type: "object",
    if: { required: ["entrypoint"] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: forge,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    else: { if: isMeta(), then: meta, else: custom },
    $defs: schemas.definitions(),
  };
}

/** Returns the condition of `isMetaTool` as a JSON Schema. */
function isMeta(): JsonObject {
  const has = (keys: readonly string[]): JsonObject => ({ anyOf: keys.map((key) => ({ required: [key] })) });
  const step = {
    type: "object",
    anyOf: [{ required: ["output_var"] }, { required: ["type"], properties: { type: { enum: stepTypes } } }],
  };
  return {
    anyOf: [
      {
        allOf: [
          has(["arguments", "dependencies", "output"]),
          { not: has(["parameters", ...commandKeys, "commands", "base-tool"]) },
        ],
      },
      { required: ["steps"], properties: { steps: { type: "array", contains: step } } },
    ],
  };
}

/** The schemas of maps, each once, by a unique name. */
class KeySchemas {
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
    const { oneOf = [], required = [], lifts = [] } = keys;
    const inner = lifts.flatMap((lift) => innerKeys(keys.values[lift]?.kind));
    const values = Object.assign({}, ...inner.toReversed(), keys.values) as DescribedKeys["values"];
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

  #valueSchema({ kind, does, example, also = [] }: KeyValue, prefix: string): JsonObject {
    return {
      description: does,
      ...(also.length === 0
        ? this.#kindSchema(kind, prefix)
        : { anyOf: [kind, ...also].map((one) => this.#kindSchema(one, prefix)) }),
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
        const item = kind.hasTexts ? { anyOf: [textSchema(undefined), one] } : one;
        return kind.isList ? { type: "array", items: item } : { anyOf: [one, { type: "array", items: one }] };
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

function innerKeys(kind: ValueKind | undefined): readonly DescribedKeys["values"][] {
  return kind?.is === "map" ? [kind.keys.values] : [];
}

/** The types of text. Numbers and `true` also count as text, as they are written. */
const TEXT: readonly Json[] = ["string", "number", "boolean"];
const DURATION = "^\\d+(\\.\\d+)?[ \\t]*(ms|s|m|h)[ \\t]*$";

function textSchema(words: readonly string[] | undefined): JsonObject {
  return words ? { enum: words } : { type: TEXT };
}
