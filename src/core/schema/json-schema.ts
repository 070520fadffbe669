// Parameters as JSON Schema, draft 2020-12, for models and editors. It never demands more than `validate.ts`.
import { forModels } from "../text/hidden-characters.ts";
import { type Giver, givenParameters } from "./given-parameters.ts";
import { holdsCode } from "./program-text.ts";
import type { Json, JsonObject } from "./json.ts";
import {
  type ArraySchema,
  isAny,
  type NumberSchema,
  type ObjectSchema,
  type Parameter,
  type ParameterSchema,
  type Pattern,
  type StringSchema,
} from "./parameter.ts";

export const JSON_SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Ends the description of a parameter that holds program text: models must know that its value runs. */
const CODE_NOTE = "(a program: it runs as it is given)";

/** What can be left out of the parameters themselves; what is within them keeps it. */
export type Omitted = "descriptions" | "defaults" | "examples";

/**
 * Returns the schema of the arguments that a model, or whoever gives them, passes in a call. Hidden parameters are left
 * out, though calls may pass them.
 */
export function argumentsSchema(
  parameters: readonly Parameter[],
  omitted: readonly Omitted[] = [],
  giver: Giver = "model",
): JsonObject {
  const given = givenParameters(parameters, giver);
  return propertiesSchema(omitted.length === 0 ? given : given.map((parameter) => without(parameter, omitted)), false);
}

function without(
  { default: fallback, example, otherExamples, ...parameter }: Parameter,
  omitted: readonly Omitted[],
): Parameter {
  return {
    ...parameter,
    ...(omitted.includes("descriptions") ? { description: "" } : {}),
    ...(omitted.includes("defaults") || fallback === undefined ? {} : { default: fallback }),
    ...(omitted.includes("examples")
      ? {}
      : { ...(example === undefined ? {} : { example }), ...(otherExamples ? { otherExamples } : {}) }),
  };
}

export function valueSchema(schema: ParameterSchema): JsonObject {
  switch (schema.type) {
    case "string":
      return stringSchema(schema);
    case "integer":
    case "number":
      return numberSchema(schema);
    case "boolean":
      return { type: "boolean" };
    case "array":
      return arraySchema(schema);
    case "object":
      return objectSchema(schema);
  }
}

function propertiesSchema(parameters: readonly Parameter[], isOpen: boolean): JsonObject {
  const offered = parameters.filter((parameter) => !parameter.hidden);
  const required = offered.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  return {
    type: "object",
    properties: Object.fromEntries(offered.map((parameter) => [parameter.name, parameterSchema(parameter)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: isOpen,
  };
}

function parameterSchema(parameter: Parameter): JsonObject {
  const { description, schema, secret } = parameter;
  const known: { default?: Json; examples?: Json } = {};
  if (!secret && parameter.default !== undefined) known.default = parameter.default;
  if (!secret && parameter.example !== undefined)
    known.examples = [parameter.example, ...(parameter.otherExamples ?? [])];
  return {
    ...describedForModels(description, schema),
    ...valueSchema(parameter.transform === undefined ? schema : unbounded(schema)),
    ...known,
    ...(secret ? { writeOnly: true } : {}),
  };
}

function describedForModels(description: string, schema: ParameterSchema): { readonly description?: string } {
  const notes = [...(description === "" ? [] : [forModels(description)]), ...(holdsCode(schema) ? [CODE_NOTE] : [])];
  return notes.length === 0 ? {} : { description: notes.join(" ") };
}

/**
 * Returns the schema of a value that a transform changes before it is checked: constraints on the result do not apply.
 */
function unbounded(schema: ParameterSchema): ParameterSchema {
  switch (schema.type) {
    case "string":
      return isAny(schema) ? schema : { type: schema.type };
    case "boolean":
      return { type: schema.type };
    case "integer":
    case "number":
      return { type: "number" };
    case "array":
      return { type: "array", items: unbounded(schema.items) };
    case "object":
      return { type: "object", properties: [], open: true };
  }
}

function stringSchema(schema: StringSchema): JsonObject {
  if (isAny(schema)) return {};
  const { choices, minimumLength, maximumLength } = schema;
  // Limits hold after `trim`, `lower` and `upper`, which JSON Schema cannot say; a value that fits as it is fits
  // afterwards.
  const pattern = schema.pattern && expressible(schema.pattern) ? `^(?:${schema.pattern.source})$` : undefined;
  const reject = schema.reject && expressible(schema.reject) ? schema.reject.source : undefined;
  return {
    type: "string",
    ...(schema.format === "url" ? { format: "uri" } : {}),
    ...(schema.format === "json" ? { contentMediaType: "application/json" } : {}),
    ...(choices ? { enum: choices } : {}),
    ...(pattern === undefined ? {} : { pattern }),
    ...(reject === undefined ? {} : { not: { pattern: reject } }),
    ...(minimumLength === undefined ? {} : { minLength: minimumLength }),
    ...(maximumLength === undefined ? {} : { maxLength: maximumLength }),
  };
}

/** Returns a pattern that JSON Schema can express: without flags, and valid as a Unicode one. */
function expressible(pattern: Pattern): boolean {
  if (/[^gyuv]/.test(pattern.flags)) return false;
  try {
    new RegExp(pattern.source, "u");
    return true;
  } catch {
    return false;
  }
}

function numberSchema(schema: NumberSchema): JsonObject {
  const { type, minimum, maximum, choices } = schema;
  return {
    type,
    ...(choices ? { enum: choices } : {}),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  };
}

function arraySchema(schema: ArraySchema): JsonObject {
  const { items, minimumItems, maximumItems, unique } = schema;
  return {
    type: "array",
    items: valueSchema(items),
    ...(minimumItems === undefined ? {} : { minItems: minimumItems }),
    ...(maximumItems === undefined ? {} : { maxItems: maximumItems }),
    ...(unique ? { uniqueItems: true } : {}),
  };
}

function objectSchema(schema: ObjectSchema): JsonObject {
  return {
    ...(schema.typeName === undefined ? {} : { title: schema.typeName }),
    ...propertiesSchema(schema.properties, schema.open),
  };
}
