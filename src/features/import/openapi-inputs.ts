// What a caller gives to an operation: its parameters, and the properties of its body.
import { isDeepStrictEqual } from "node:util";
import { serverParameters } from "../mcp-client/server-schema.ts";
import type { Json, JsonObject } from "../../core/schema/json.ts";
import type { Parameter, ParameterSchema } from "../../core/schema/parameter.ts";
import { listOf, objectOf, type Operation, requireReferences, resolved } from "./openapi-document.ts";

export type Place = "path" | "query" | "header" | "cookie" | "body";

export interface Input {
  readonly place: Place;
  /** Its name in the API. */
  readonly original: string;
  readonly parameter: Parameter;
  /** What stands between the items of a list that is one value; `deep` for an object as `name[key]=value`. */
  readonly style?: string | undefined;
}

export interface Inputs {
  readonly inputs: readonly Input[];
  /** The media type of the body; absent if there is none. */
  readonly mediaType?: string;
  /** Whether the body is one value, and not made of properties. */
  readonly isWhole: boolean;
}

const SENT_BY_FETCH = /^(?:accept|content-type|authorization)$/i;

export function inputsOf(operation: Operation): Inputs | { readonly problem: string } {
  const { root } = operation;
  const declared = new Map<string, JsonObject>();
  for (const written of [...operation.shared, ...listOf(operation.operation["parameters"])]) {
    const parameter = resolved(written, root);
    const [place, name] = [String(parameter["in"]), String(parameter["name"])];
    if (place !== "header" || !SENT_BY_FETCH.test(name)) declared.set(`${place} ${name}`, parameter);
  }
  const body = bodyOf(operation);
  if ("problem" in body) return body;
  const rows = [
    ...[...declared.values()].map((one) => ({
      place: placeOf(one),
      original: String(one["name"]),
      isRequired: one["required"] === true,
      schema: schemaOf(one, root),
      style: styleOf(one),
    })),
    ...body.rows,
  ];
  for (const { schema } of rows) requireReferences(schema, root);
  const keys = rows.map(({ original, place }, index) =>
    rows.findIndex((other) => other.original === original) === index ? original : `${original}_${place}`,
  );
  const { parameters } = serverParameters({
    ...root,
    type: "object",
    properties: Object.fromEntries(rows.map(({ schema }, index) => [keys[index] ?? "", schema])),
    required: keys.filter((_key, index) => rows[index]?.isRequired),
  });
  const inputs = rows.flatMap(({ place, original, style }, index): readonly Input[] => {
    const parameter = parameters[index];
    const about = body.about === undefined ? {} : { description: body.about };
    return parameter
      ? [{ place, original, parameter: { ...withoutObjects(parameter), ...(place === "body" ? about : {}) }, style }]
      : [];
  });
  return {
    inputs,
    ...(body.mediaType === undefined ? {} : { mediaType: body.mediaType }),
    isWhole: body.isWhole,
  };
}

interface Row {
  readonly place: Place;
  readonly original: string;
  readonly isRequired: boolean;
  readonly schema: Json;
  readonly style?: string | undefined;
}

/** Source: OpenAPI 3.1, "Style Values". The usual style, `form`, writes the name before each item. */
function styleOf({ style, explode, ...parameter }: JsonObject): string | undefined {
  if (style === "deepObject") return "deep";
  if (placeOf(parameter) !== "query") return undefined;
  if (style === "pipeDelimited") return "|";
  if (style === "spaceDelimited") return " ";
  return explode === false ? "," : undefined;
}

function placeOf(parameter: JsonObject): Place {
  const place = String(parameter["in"]);
  return place === "path" || place === "header" || place === "cookie" ? place : "query";
}

/** The description belongs to the parameter, not to its type. */
function schemaOf(parameter: JsonObject, root: JsonObject): Json {
  const [content] = Object.values(objectOf(parameter["content"]));
  const schema = resolved(parameter["schema"] ?? objectOf(content)["schema"], root);
  const description = parameter["description"] ?? schema["description"];
  return { ...schema, ...(typeof description === "string" ? { description } : {}) };
}

interface Body extends Pick<Inputs, "isWhole"> {
  readonly rows: readonly Row[];
  readonly mediaType?: string;
  /** Describes it if it is one value. */
  readonly about?: string;
}

function bodyOf({ operation, root, method }: Operation): Body | { readonly problem: string } {
  const request = resolved(operation["requestBody"], root);
  const media = objectOf(request["content"]);
  const types = Object.keys(media);
  if (types.length === 0) return { rows: [], isWhole: false };
  const mediaType =
    types.find((type) => /^application\/(?:[\w.+-]+\+)?json\b/.test(type)) ??
    types.find((type) => type === "application/x-www-form-urlencoded" || /^text\//.test(type));
  if (mediaType === undefined)
    return {
      problem: `its body is \`${types[0]}\`, and texts, JSON and URL-encoded forms are sent; a \`@command\` of \`curl\` can send files`,
    };
  const isRequired = request["required"] === true;
  // Most descriptions forget to say that the body of a POST is required, and here each call has one.
  const isSent = isRequired || /^(?:post|put|patch)$/.test(method);
  const schema = merged(resolved(objectOf(media[mediaType])["schema"], root), root);
  const properties = Object.entries(objectOf(schema["properties"]));
  const required = new Set(listOf(schema["required"]).map(String));
  const isWhole = properties.length === 0 || /^text\//.test(mediaType);
  if (isWhole)
    return {
      rows: [
        {
          place: "body",
          original: "body",
          isRequired,
          schema: /^text\//.test(mediaType) ? { type: "string" } : {},
        },
      ],
      mediaType,
      isWhole,
      about: bodyAbout(schema, mediaType),
    };
  const rows = properties
    .filter(([, property]) => resolved(property, root)["readOnly"] !== true)
    .map(
      ([original, property]): Row => ({
        place: "body",
        original,
        isRequired: isSent && required.has(original),
        schema: property,
      }),
    );
  return { rows, mediaType, isWhole };
}

function bodyAbout({ description, type }: JsonObject, mediaType: string): string {
  if (typeof description === "string") return description;
  return /^text\//.test(mediaType) ? "The body" : `The body, ${type === "array" ? "a list " : ""}as JSON`;
}

/**
 * `allOf` as one object, and `oneOf` and `anyOf` as one with the properties of each, of which those are required that all
 * require. A schema counts once, also where it is a part of itself.
 */
function merged(schema: JsonObject, root: JsonObject, seen = new Set<JsonObject>()): JsonObject {
  const parts = new Set([schema]);
  const alternatives: JsonObject[] = [];
  for (const part of parts) {
    seen.add(part);
    for (const inner of listOf(part["allOf"])) parts.add(resolved(inner, root));
    const ways = [...listOf(part["oneOf"]), ...listOf(part["anyOf"])].map((one) => resolved(one, root));
    const each = ways.flatMap((way) => (seen.has(way) ? [] : [merged(way, root, seen)]));
    const [first] = each;
    const shared = listOf(first?.["required"]).filter((name) =>
      each.every((way) => listOf(way["required"]).includes(name)),
    );
    if (first)
      alternatives.push({ properties: unitedProperties(each), required: each.length < ways.length ? [] : shared });
  }
  return mergedParts(schema, [...parts, ...alternatives]);
}

/** A property that is something else in another alternative may be anything. */
function unitedProperties(ways: readonly JsonObject[]): JsonObject {
  const united = new Map<string, Json>();
  for (const [name, property] of ways.flatMap((way) => Object.entries(objectOf(way["properties"])))) {
    const known = united.get(name);
    united.set(name, known === undefined || isDeepStrictEqual(known, property) ? property : {});
  }
  return Object.fromEntries(united);
}

function mergedParts(schema: JsonObject, parts: readonly JsonObject[]): JsonObject {
  return {
    ...schema,
    properties: Object.fromEntries(parts.flatMap((part) => Object.entries(objectOf(part["properties"])))),
    required: parts.flatMap((part) => listOf(part["required"])),
  };
}

/** An object, or a list of them, is given as JSON: its type would need a name. */
function withoutObjects(parameter: Parameter): Parameter {
  const { default: given, ...others } = parameter;
  if (!hasObject(parameter.schema)) return { ...parameter, schema: withoutItemLimits(parameter.schema) };
  return { ...others, schema: { type: "string", format: "any" }, ...(given === undefined ? {} : { default: given }) };
}

/** Limits of the items of a list have no words in a definition: the server checks them. */
function withoutItemLimits(schema: ParameterSchema): ParameterSchema {
  if (schema.type !== "array") return schema;
  const { items } = schema;
  if (items.type === "string" && items.choices === undefined) return { ...schema, items: { type: "string" } };
  return items.type === "integer" || items.type === "number" ? { ...schema, items: { type: items.type } } : schema;
}

function hasObject(schema: ParameterSchema): boolean {
  return (
    schema.type === "object" ||
    (schema.type === "string" && schema.format === "json") ||
    (schema.type === "array" && hasObject(schema.items))
  );
}
