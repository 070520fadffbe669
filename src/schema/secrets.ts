// Which values of a call are secret, and the arguments with dots in their place.
import { nearestNames } from "../text/suggest.ts";
import { MASK } from "./describe.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import type { Parameter, ParameterSchema } from "./parameter.ts";

export function hasSecrets(parameters: readonly Parameter[]): boolean {
  return parameters.some((parameter) => parameter.secret === true || schemaHasSecrets(parameter.schema));
}

function schemaHasSecrets(schema: ParameterSchema): boolean {
  if (schema.type === "array") return schemaHasSecrets(schema.items);
  return schema.type === "object" && hasSecrets(schema.properties);
}

/** As they may be shown. What is given under a mistyped name of a secret is masked too. */
export function maskedArguments(args: JsonObject, parameters: readonly Parameter[]): JsonObject {
  return hasSecrets(parameters) ? mapSecrets(args, parameters, () => MASK) : args;
}

/** Every text, number and flag within the secrets of `args`. */
export function secretValues(args: unknown, parameters: readonly Parameter[]): readonly string[] {
  const values: string[] = [];
  const collect = (value: Json): Json => {
    if (Array.isArray(value)) value.forEach(collect);
    else if (isJsonObject(value)) Object.values(value).forEach(collect);
    else if (typeof value === "string") values.push(value);
    else if (typeof value === "number") values.push(String(value));
    return value;
  };
  if (isJsonObject(args)) mapSecrets(args, parameters, collect);
  return values;
}

function mapSecrets(args: JsonObject, parameters: readonly Parameter[], change: (value: Json) => Json): JsonObject {
  const names = parameters.map((parameter) => parameter.name);
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const parameter = parameters.find((candidate) => candidate.name === name);
      if (parameter) return [name, parameter.secret ? change(value) : mapWithin(value, parameter.schema, change)];
      const meant = nearestNames(name, names);
      return [name, parameters.some((candidate) => candidate.secret && meant.includes(candidate.name)) ? change(value) : value];
    }),
  );
}

function mapWithin(value: Json, schema: ParameterSchema, change: (value: Json) => Json): Json {
  if (schema.type === "array" && Array.isArray(value)) return value.map((item: Json) => mapWithin(item, schema.items, change));
  return schema.type === "object" && isJsonObject(value) ? mapSecrets(value, schema.properties, change) : value;
}
