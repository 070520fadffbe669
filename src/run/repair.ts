// The nearest arguments that would work: what the caller sent, with each fault mended where the mend is plain, and an example for the rest.
import { convertText } from "../schema/convert-text.ts";
import { isJsonObject, type Json, type JsonObject } from "../schema/json.ts";
import type { Parameter, ParameterSchema } from "../schema/parameter.ts";
import { validateArguments, validateValue } from "../schema/validate.ts";
import { nearestNames } from "../text/suggest.ts";
import type { ArgumentIssue } from "../tool/failure.ts";
import type { Tool } from "../tool/tool.ts";

const SAMPLE_DEPTH_MAX = 5;

/** Fits the schema. It passes `tool.check` too wherever a definition's example or the caller's own values do. */
export function repairedArguments(tool: Tool, sent: unknown, issues: readonly ArgumentIssue[] = []): JsonObject {
  const example = tool.definition.examples.find((candidate) => isAccepted(tool, candidate));
  const faulty = new Set(issues.map(({ path }) => rootOf(path)));
  // What an expression makes of a value, nobody here can tell: one that was at fault makes way for an example.
  const kept = Object.fromEntries(Object.entries(isJsonObject(sent) ? sent : {}).filter(([name]) => !(faulty.has(name) && tool.parameters.some((parameter) => parameter.name === name && parameter.transform !== undefined))));
  const mended = mend(tool, kept, { example: example ?? {}, faulty });
  if (isAccepted(tool, mended)) return mended;
  if (example) return example;
  return Object.fromEntries(tool.parameters.filter((parameter) => parameter.required).map((parameter) => [parameter.name, sampleOf(parameter.schema, parameter, 0)]));
}

function isAccepted(tool: Tool, args: JsonObject): boolean {
  const validated = validateArguments(tool.parameters, args, { owner: tool.definition.name.value, environment: () => undefined });
  // A secret is shown as dots, and what is changed first is not what is checked, so nobody can tell whether they fit.
  if (!validated.arguments) return validated.issues.every(({ path }) => tool.parameters.some(({ name, secret, transform }) => (secret || transform !== undefined) && name === rootOf(path)));
  return (tool.check?.(validated.arguments) ?? []).length === 0;
}

function rootOf(path: string): string {
  return path.split(/[.[]/, 1)[0] ?? "";
}

/** `faulty`: names that something was wrong with; what was not given and still is one of them is needed. */
function mend(tool: Tool, sent: JsonObject, { example, faulty }: { readonly example: JsonObject; readonly faulty: ReadonlySet<string> }): JsonObject {
  const misnamed = Object.keys(sent).filter((name) => !tool.parameters.some((parameter) => parameter.name === name));
  // What is hidden is for those who know of it.
  const names = tool.parameters.filter((parameter) => !parameter.hidden).map((parameter) => parameter.name);
  const entries: [string, Json][] = [];
  for (const parameter of tool.parameters) {
    const alias = misnamed.find((name) => nearestNames(name, names)[0] === parameter.name);
    const given = Object.hasOwn(sent, parameter.name) ? sent[parameter.name] : alias === undefined ? undefined : sent[alias];
    if (given !== undefined) entries.push([parameter.name, mendedValue(parameter, given, example[parameter.name])]);
    else if (parameter.required || faulty.has(parameter.name)) entries.push([parameter.name, example[parameter.name] ?? sampleOf(parameter.schema, parameter, 0)]);
  }
  return Object.fromEntries(entries);
}

function mendedValue(parameter: Parameter, given: Json, example: Json | undefined): Json {
  if (parameter.transform !== undefined) return given;
  const fits = (value: Json): boolean => validateValue(parameter.schema, value, parameter.name).issues.length === 0;
  if (fits(given)) return given;
  for (const candidate of candidatesFor(parameter.schema, given)) if (fits(candidate)) return candidate;
  return example !== undefined && fits(example) ? example : sampleOf(parameter.schema, parameter, 0);
}

/** Only changes of shape: `"5"` for 5, `["a"]` for "a"; never another meaning. */
function candidatesFor(schema: ParameterSchema, given: Json): readonly Json[] {
  if (schema.type === "array" && !Array.isArray(given)) return [[given], ...(typeof given === "string" ? [convertText(schema, given).value ?? given] : [])];
  if (schema.type === "string" && (typeof given === "number" || typeof given === "boolean")) return [String(given)];
  if (schema.type === "string" && schema.choices && typeof given === "string") return nearestNames(given, schema.choices);
  if (typeof given === "string") return [convertText(schema, given.trim()).value ?? given];
  return [];
}

function sampleOf(schema: ParameterSchema, parameter: Pick<Parameter, "default" | "example">, depth: number): Json {
  const own = parameter.example ?? parameter.default;
  if (own !== undefined) return own;
  switch (schema.type) {
    case "string":
      return schema.choices?.[0] ?? (schema.format === "url" ? "https://example.com/" : schema.format === "path" ? "." : "text");
    case "integer":
    case "number":
      return schema.minimum ?? Math.min(1, schema.maximum ?? 1);
    case "boolean":
      return true;
    case "array":
      return depth >= SAMPLE_DEPTH_MAX ? [] : [sampleOf(schema.items, {}, depth + 1)];
    case "object":
      if (depth >= SAMPLE_DEPTH_MAX) return {};
      return Object.fromEntries(schema.properties.filter((property) => property.required).map((property) => [property.name, sampleOf(property.schema, property, depth + 1)]));
  }
}
