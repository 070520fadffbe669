// What a caller gives to an operation: its parameters, and the properties of its body.
import { serverParameters } from "../mcp-client/server-schema.ts";
import type { Json, JsonObject } from "../../core/schema/json.ts";
import type { Parameter, ParameterSchema } from "../../core/schema/parameter.ts";
import { listOf, objectOf, type Operation, resolved } from "./openapi-document.ts";

/** `file`: the path of a file whose content is sent. */
export type Place = "path" | "query" | "header" | "cookie" | "body" | "file";

export interface Input {
  readonly place: Place;
  /** Its name in the API. */
  readonly original: string;
  readonly parameter: Parameter;
}

export interface Inputs {
  readonly inputs: readonly Input[];
  /** The media type of the body; absent if there is none. */
  readonly mediaType?: string;
  /** Whether the body is one value, and not made of properties. */
  readonly isWhole: boolean;
  readonly notes: readonly string[];
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
    })),
    ...body.rows,
  ];
  const keys = rows.map(({ original, place }, index) =>
    rows.findIndex((other) => other.original === original) === index ? original : `${original}_${place}`,
  );
  const { parameters } = serverParameters({
    ...root,
    type: "object",
    properties: Object.fromEntries(rows.map(({ schema }, index) => [keys[index] ?? "", schema])),
    required: keys.filter((_key, index) => rows[index]?.isRequired),
  });
  const inputs = rows.flatMap(({ place, original }, index): readonly Input[] => {
    const parameter = parameters[index];
    if (!parameter) return [];
    const file: Parameter = { ...parameter, schema: { type: "string", format: "path" } };
    return [{ place, original, parameter: place === "file" ? file : withoutObjects(parameter) }];
  });
  return {
    inputs,
    ...(body.mediaType === undefined ? {} : { mediaType: body.mediaType }),
    isWhole: body.isWhole,
    notes: body.notes ?? [],
  };
}

interface Row {
  readonly place: Place;
  readonly original: string;
  readonly isRequired: boolean;
  readonly schema: Json;
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
  readonly notes?: readonly string[];
}

function bodyOf({ operation, root }: Operation): Body | { readonly problem: string } {
  const request = resolved(operation["requestBody"], root);
  const media = objectOf(request["content"]);
  const types = Object.keys(media);
  if (types.length === 0) return { rows: [], isWhole: false };
  const mediaType =
    types.find((type) => /^application\/(?:[\w.+-]+\+)?json\b/.test(type)) ??
    types.find((type) => type === "application/x-www-form-urlencoded" || /^text\//.test(type));
  if (mediaType === undefined) return fileBody(media, root);
  const isRequired = request["required"] === true;
  const schema = merged(resolved(objectOf(media[mediaType])["schema"], root), root);
  const properties = Object.entries(objectOf(schema["properties"]));
  const required = new Set(listOf(schema["required"]).map(String));
  const isWhole = properties.length === 0 || /^text\//.test(mediaType);
  if (isWhole)
    return {
      rows: [
        { place: "body", original: "body", isRequired, schema: /^text\//.test(mediaType) ? { type: "string" } : {} },
      ],
      mediaType,
      isWhole,
    };
  const rows = properties
    .filter(([, property]) => resolved(property, root)["readOnly"] !== true)
    .map(
      ([original, property]): Row => ({
        place: "body",
        original,
        isRequired: isRequired && required.has(original),
        schema: property,
      }),
    );
  return { rows, mediaType, isWhole };
}

const MULTIPART = "multipart/form-data";

/** A body that is a file, or a form with one. */
function fileBody(media: JsonObject, root: JsonObject): Body | { readonly problem: string } {
  const [first = ""] = Object.keys(media);
  const form = media[MULTIPART];
  if (form === undefined && !/^(?:image|audio|video)\/|^application\/(?:octet-stream|pdf|zip)$/.test(first))
    return { problem: `its body is \`${first}\`, and texts, JSON, forms and files are sent` };
  if (form === undefined)
    return {
      rows: [
        { place: "file", original: "file", isRequired: true, schema: { type: "string", description: "The file" } },
      ],
      mediaType: first,
      isWhole: true,
    };
  const schema = merged(resolved(objectOf(form)["schema"], root), root);
  const required = new Set(listOf(schema["required"]).map(String));
  const rows = Object.entries(objectOf(schema["properties"])).map(([original, property]): Row => {
    const own = resolved(property, root);
    const isFile = isBinary(own) || isBinary(resolved(own["items"], root));
    // Without its file, nothing would be sent.
    return {
      place: isFile ? "file" : "body",
      original,
      isRequired: isFile || required.has(original),
      schema: isFile ? { type: "string", description: own["description"] ?? "The file" } : property,
    };
  });
  const count = rows.filter(({ place }) => place === "file").length;
  const takesMore = Object.values(objectOf(schema["properties"])).some((one) =>
    isBinary(resolved(resolved(one, root)["items"], root)),
  );
  return count === 1
    ? {
        rows,
        mediaType: MULTIPART,
        isWhole: false,
        ...(takesMore ? { notes: ["the API takes several files, and one is sent"] } : {}),
      }
    : { problem: `its form has ${count === 0 ? "no file" : `${count} files`}, and one is sent` };
}

function isBinary({ format, contentMediaType }: JsonObject): boolean {
  return format === "binary" || typeof contentMediaType === "string";
}

/** `allOf` as one object. A schema counts once, also where it is a part of itself. */
function merged(schema: JsonObject, root: JsonObject): JsonObject {
  const parts = new Set([schema]);
  for (const part of parts) for (const inner of listOf(part["allOf"])) parts.add(resolved(inner, root));
  return mergedParts(schema, [...parts]);
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
  if (!hasObject(parameter.schema)) return parameter;
  return { ...others, schema: { type: "string", format: "any" }, ...(given === undefined ? {} : { default: given }) };
}

function hasObject(schema: ParameterSchema): boolean {
  return (
    schema.type === "object" ||
    (schema.type === "string" && schema.format === "json") ||
    (schema.type === "array" && hasObject(schema.items))
  );
}
