// Secret values of a call, and the arguments with dots in their place.
import { MASK } from "./describe.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import type { ObjectSchema, Parameter, ParameterSchema } from "./parameter.ts";

export function hasSecrets(parameters: readonly Parameter[]): boolean {
  return parameters.some((parameter) => parameter.secret === true || schemaHasSecrets(parameter.schema));
}

export function schemaHasSecrets(schema: ParameterSchema): boolean {
  if (schema.type === "array") return schemaHasSecrets(schema.items);
  return schema.type === "object" && hasSecrets(schema.properties);
}

/**
 * Returns the arguments as they may be shown. A value under an unknown name may be a secret whose name was mistyped.
 */
export function maskedArguments(args: JsonObject, parameters: readonly Parameter[]): JsonObject {
  return hasSecrets(parameters) ? mapSecrets(args, { properties: parameters, open: false }, () => MASK) : args;
}

/** Returns every text, number and flag within the secrets of `args`. */
export function secretValues(args: unknown, parameters: readonly Parameter[]): readonly string[] {
  const values: string[] = [];
  const collect = (value: Json): Json => {
    if (Array.isArray(value)) value.forEach(collect);
    else if (isJsonObject(value)) Object.values(value).forEach(collect);
    else if (typeof value === "string") values.push(value);
    else if (typeof value === "number") values.push(String(value));
    return value;
  };
  if (isJsonObject(args)) mapSecrets(args, { properties: parameters, open: false }, collect);
  return values;
}

type Shape = Pick<ObjectSchema, "properties" | "open">;

function mapSecrets(args: JsonObject, { properties, open }: Shape, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const parameter = properties.find((candidate) => candidate.name === name);
      if (parameter) return [name, parameter.secret ? change(value) : mapWithin(value, parameter.schema, change)];
      return [name, open ? value : change(value)];
    }),
  );
}

function mapWithin(value: Json, schema: ParameterSchema, change: (value: Json) => Json): Json {
  if (schema.type === "array" && Array.isArray(value))
    return value.map((item: Json) => mapWithin(item, schema.items, change));
  return schema.type === "object" && isJsonObject(value) && hasSecrets(schema.properties)
    ? mapSecrets(value, schema, change)
    : value;
}
