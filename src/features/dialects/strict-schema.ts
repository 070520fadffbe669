// Schemas that OpenAI and Anthropic enforce while a model writes ("strict"). Both accept only a part of JSON Schema:
// bounds move into the description, and everything else is a problem that names the tool and the place.
import { argumentsSchema } from "../../core/schema/json-schema.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { schemaForModels } from "./model-description.ts";
import { portableSchema, type SchemaRules } from "./portable-schema.ts";

interface StrictSchemas {
  /** The schemas in the order of the tools. */
  readonly schemas: readonly JsonObject[];
  readonly problems: readonly string[];
}

/**
 * The rules of https://platform.openai.com/docs/guides/structured-outputs#supported-schemas: all properties are
 * required, so one that may be left out accepts `null`; objects are closed. The formats are those listed there;
 * `minLength`, `maxLength`, `default` and `not` are refused.
 */
const openaiRules: SchemaRules = (keyword, value) => {
  // Grammars have no look-around and no back-references.
  if (keyword === "pattern") return typeof value === "string" && !/\(\?[=!<]|\\[1-9bBk]/.test(value) ? "keep" : "tell";
  return [
    "type",
    "enum",
    "items",
    "properties",
    "required",
    "additionalProperties",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
  ].includes(keyword)
    ? "keep"
    : "tell";
};
/** A limit from the same page. */
const OPENAI_PROPERTIES_MAX = 5_000;
const OPENAI_DEPTH_MAX = 10;
const OPENAI_CHOICES_MAX = 1_000;
const OPENAI_NAMES_CHARACTERS_MAX = 120_000;

export function openaiStrictSchemas(tools: readonly Tool[]): StrictSchemas {
  const problems: string[] = [];
  const schemas = tools.map((tool) => {
    const name = tool.definition.name.value;
    const schema = portableSchema(nullable(schemaForModels(tool)), openaiRules);
    problems.push(...openObjects(schema, name), ...openaiSizeProblems(schema, name));
    return schema;
  });
  return { schemas, problems };
}

/**
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations, as the converter of
 * their SDK has it (`lib/transform-json-schema`): no bounds but `minItems` 0 and 1, and no type beside choices.
 */
const anthropicRules: SchemaRules = (keyword, value, schema) => {
  if (keyword === "type" && Object.hasOwn(schema, "enum")) return "drop";
  const isKept =
    ["type", "enum", "title", "items", "properties", "required", "additionalProperties"].includes(keyword) ||
    (keyword === "minItems" && (value === 0 || value === 1)) ||
    (keyword === "format" && value === "uri");
  return isKept ? "keep" : "tell";
};
/** A limit of one request: "schema complexity limits" on the same page. */
const ANTHROPIC_TOOLS_MAX = 20;
const ANTHROPIC_OPTIONAL_MAX = 24;

export function anthropicStrictSchemas(tools: readonly Tool[]): StrictSchemas {
  const schemas = tools.map((tool) =>
    portableSchema(argumentsSchema(tool.parameters, tool.definition.schemaOmits), anthropicRules),
  );
  const problems = schemas.flatMap((schema, index) => openObjects(schema, tools[index]?.definition.name.value ?? ""));
  const optional = schemas.map(optionalCount);
  const all = optional.reduce((sum, count) => sum + count, 0);
  if (tools.length > ANTHROPIC_TOOLS_MAX)
    problems.push(
      `a request may have at most ${ANTHROPIC_TOOLS_MAX} strict tools, and there are ${tools.length}; name the ones you need`,
    );
  if (all > ANTHROPIC_OPTIONAL_MAX) {
    const most = tools
      .map((tool, index) => ({ name: tool.definition.name.value, count: optional[index] ?? 0 }))
      .sort((a, b) => b.count - a.count)
      .slice(0, 3);
    problems.push(
      `a request may have at most ${ANTHROPIC_OPTIONAL_MAX} optional parameters in strict tools, and these have ${all} (${most.map(({ name, count }) => `\`${name}\` ${count}`).join(", ")}); name fewer tools`,
    );
  }
  return { schemas, problems };
}

/** Makes each property required; an optional one may be `null`, which means that it is left out. */
function nullable(schema: JsonObject): JsonObject {
  return mapped(schema, (one) => {
    const { properties } = one;
    if (!isJsonObject(properties)) return one;
    const required = Array.isArray(one["required"]) ? (one["required"] as readonly Json[]) : [];
    const all = Object.entries(properties).map(([name, inner]): [string, Json] => [
      name,
      required.includes(name) || !isJsonObject(inner) ? inner : orNull(inner),
    ]);
    return { ...one, properties: Object.fromEntries(all), required: all.map(([name]) => name) };
  });
}

function orNull(schema: JsonObject): JsonObject {
  const { type, enum: choices } = schema;
  const description =
    typeof schema["description"] === "string" ? `${schema["description"]} (null: not given)` : "(null: not given)";
  return {
    ...schema,
    description,
    ...(type === undefined ? {} : { type: [type, "null"] }),
    ...(Array.isArray(choices) ? { enum: [...(choices as readonly Json[]), null] } : {}),
  };
}

function mapped(schema: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  const { properties, items } = schema;
  return change({
    ...schema,
    ...(isJsonObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, inner]) => [
              name,
              isJsonObject(inner) ? mapped(inner, change) : inner,
            ]),
          ),
        }
      : {}),
    ...(isJsonObject(items) ? { items: mapped(items, change) } : {}),
  });
}

interface Place {
  readonly schema: JsonObject;
  /** `edits[].search`; empty for the arguments as a whole. */
  readonly path: string;
  readonly depth: number;
}

function placesIn(schema: JsonObject, path = "", depth = 0): readonly Place[] {
  const { properties, items } = schema;
  const inner = isJsonObject(properties)
    ? Object.entries(properties).flatMap(([name, one]) =>
        isJsonObject(one) ? placesIn(one, path === "" ? name : `${path}.${name}`, depth + 1) : [],
      )
    : [];
  return [{ schema, path, depth }, ...inner, ...(isJsonObject(items) ? placesIn(items, `${path}[]`, depth) : [])];
}

function openObjects(schema: JsonObject, tool: string): readonly string[] {
  return placesIn(schema).flatMap(({ path, schema: { type, enum: choices, additionalProperties } }) => {
    const isAny = type === undefined && choices === undefined;
    return isAny || additionalProperties === true
      ? [
          `\`${tool}\`: \`${path}\` accepts any ${isAny ? "value" : "properties"}, which a strict schema cannot express; declare ${isAny ? "it" : "them"} with a type, or export without \`--strict\``,
        ]
      : [];
  });
}

function openaiSizeProblems(schema: JsonObject, tool: string): readonly string[] {
  const places = placesIn(schema);
  const names = places.flatMap((place) =>
    isJsonObject(place.schema["properties"]) ? Object.keys(place.schema["properties"]) : [],
  );
  const choices = places.flatMap((place) =>
    Array.isArray(place.schema["enum"]) ? (place.schema["enum"] as readonly Json[]) : [],
  );
  const deepest = places.find(({ depth }) => depth > OPENAI_DEPTH_MAX);
  const characters = [...names, ...choices.map(String)].reduce((sum, text) => sum + text.length, 0);
  return [
    ...(names.length > OPENAI_PROPERTIES_MAX
      ? [
          `\`${tool}\`: a strict schema may have at most ${OPENAI_PROPERTIES_MAX} properties, and this has ${names.length}`,
        ]
      : []),
    ...(deepest
      ? [`\`${tool}\`: \`${deepest.path}\` is deeper than the ${OPENAI_DEPTH_MAX} levels that a strict schema may have`]
      : []),
    ...(choices.length > OPENAI_CHOICES_MAX
      ? [`\`${tool}\`: a strict schema may have at most ${OPENAI_CHOICES_MAX} choices, and this has ${choices.length}`]
      : []),
    ...(characters > OPENAI_NAMES_CHARACTERS_MAX
      ? [
          `\`${tool}\`: a strict schema may have at most ${OPENAI_NAMES_CHARACTERS_MAX} characters of names and choices, and this has ${characters}`,
        ]
      : []),
  ];
}

function optionalCount(schema: JsonObject): number {
  return placesIn(schema).reduce((sum, place) => {
    const { properties, required } = place.schema;
    return (
      sum +
      (isJsonObject(properties) ? Object.keys(properties).length - (Array.isArray(required) ? required.length : 0) : 0)
    );
  }, 0);
}
