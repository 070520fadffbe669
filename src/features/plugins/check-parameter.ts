// Whether a parameter that a plugin declares is one: the compiler may never have seen it, and the gate trusts what it
// finds here.
import { rowOf } from "../../core/text/row-of.ts";
import type { Parameter } from "../../core/schema/parameter.ts";
import { validateValue } from "../../core/schema/validate.ts";

type Fields = Readonly<Record<string, unknown>>;
type Kind = "text" | "number" | "count" | "yes" | "flag" | "texts" | "numbers" | "pattern" | "any";

export const namePattern = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const SCHEMA_DEPTH_MAX = 32;

const wanted: Readonly<Record<Exclude<Kind, "any">, string>> = {
  text: "text",
  number: "a number",
  count: "an integer, 0 or more",
  yes: "true or false",
  flag: "true",
  texts: "an array of strings",
  numbers: "an array of numbers",
  pattern: "a regular expression",
};

const parameterFields: Readonly<Record<string, Kind>> = {
  name: "text",
  description: "text",
  schema: "any",
  required: "yes",
  default: "any",
  flags: "flag",
  flag: "text",
  secret: "flag",
  environment: "text",
  hidden: "flag",
  example: "any",
  otherExamples: "any",
  help: "text",
  transform: "text",
};

const schemaFields: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  string: {
    type: "text",
    format: "text",
    choices: "texts",
    pattern: "pattern",
    reject: "pattern",
    minimumLength: "count",
    maximumLength: "count",
    transforms: "texts",
  },
  integer: { type: "text", minimum: "number", maximum: "number", choices: "numbers" },
  number: { type: "text", minimum: "number", maximum: "number", choices: "numbers" },
  boolean: { type: "text" },
  array: { type: "text", items: "any", minimumItems: "count", maximumItems: "count", unique: "flag" },
  object: { type: "text", typeName: "text", properties: "any", open: "yes" },
};

const bounds = [
  ["minimum", "maximum"],
  ["minimumLength", "maximumLength"],
  ["minimumItems", "maximumItems"],
] as const;

/** Returns what is wrong, in words. If nothing is, `parameter` is a `Parameter`. */
export function parameterFault(parameter: unknown, depth = 0): string | undefined {
  if (!isFields(parameter) || typeof parameter["name"] !== "string" || !namePattern.test(parameter["name"]))
    return "a parameter name must be letters, digits, `_` and `-`";
  const named = `the parameter \`${parameter["name"]}\``;
  if (typeof parameter["description"] !== "string") return `${named} has no description`;
  const fault = fieldFault(parameter, parameterFields) ?? schemaFault(parameter["schema"], depth);
  if (fault !== undefined) return `${named} ${fault}`;
  const { schema, default: fallback, example, otherExamples = [], transform } = parameter as unknown as Parameter;
  if (!Array.isArray(otherExamples)) return `${named} has \`otherExamples\` that are not an array`;
  // The result of an expression is known only after it has run.
  for (const [what, value] of transform === undefined
    ? ([["default", fallback], ...[example, ...otherExamples].map((one) => ["example", one] as const)] as const)
    : []) {
    const issue = value === undefined ? undefined : validateValue(schema, value, parameter["name"]).issues[0];
    if (issue) return `${named} has a value for \`${what}\` that does not fit: ${issue.message}`;
  }
  return undefined;
}

function schemaFault(schema: unknown, depth: number): string | undefined {
  const fields =
    isFields(schema) && typeof schema["type"] === "string" && Object.hasOwn(schemaFields, schema["type"])
      ? rowOf(schemaFields, schema["type"])
      : undefined;
  if (!isFields(schema) || !fields) return "has no type; declare it with `string(…)`, `integer(…)` and the like";
  if (depth > SCHEMA_DEPTH_MAX) return `is nested deeper than ${SCHEMA_DEPTH_MAX} levels`;
  const fault = fieldFault(schema, fields);
  if (fault !== undefined) return fault;
  const crossed = bounds.find(([low, high]) => Number(schema[low]) > Number(schema[high]));
  if (crossed) return `has a \`${crossed[0]}\` above its \`${crossed[1]}\``;
  if (schema["format"] !== undefined && schema["format"] !== "path" && schema["format"] !== "url")
    return "has an unknown `format`; expected `path` or `url`";
  if (schema["type"] === "array") return schemaFault(schema["items"], depth + 1);
  if (schema["type"] !== "object") return undefined;
  if (!Array.isArray(schema["properties"])) return "has no `properties`";
  for (const property of schema["properties"] as readonly unknown[]) {
    const inner = parameterFault(property, depth + 1);
    if (inner !== undefined) return `has a property that does not fit: ${inner}`;
  }
  return undefined;
}

function fieldFault(value: Fields, fields: Readonly<Record<string, Kind>>): string | undefined {
  for (const [name, found] of Object.entries(value)) {
    const kind = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (kind === undefined)
      return `has an unknown field \`${name}\`; the fields are ${Object.keys(fields)
        .map((known) => `\`${known}\``)
        .join(", ")}`;
    if (kind !== "any" && !isOfKind(found, kind)) return `has a \`${name}\` that is not ${wanted[kind]}`;
  }
  return undefined;
}

function isOfKind(value: unknown, kind: Exclude<Kind, "any">): boolean {
  switch (kind) {
    case "text":
      return typeof value === "string";
    case "number":
      return Number.isFinite(value);
    case "count":
      return Number.isSafeInteger(value) && Number(value) >= 0;
    case "yes":
      return typeof value === "boolean";
    case "flag":
      return value === true;
    case "texts":
      return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
    case "numbers":
      return Array.isArray(value) && value.length > 0 && value.every((item) => Number.isFinite(item));
    case "pattern":
      return isFields(value) && compiles(value["source"], value["flags"]);
  }
}

function compiles(source: unknown, flags: unknown): boolean {
  if (typeof source !== "string" || typeof flags !== "string") return false;
  try {
    new RegExp(source, flags);
    return true;
  } catch {
    return false;
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
