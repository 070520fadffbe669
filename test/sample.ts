// A value that a schema accepts, for a call in a test: the author's own, or one made up.
import { isJsonObject, type Json, type JsonObject } from "../src/core/schema/json.ts";
import type { Parameter, ParameterSchema, StringSchema } from "../src/core/schema/parameter.ts";
import { patternMatch } from "../src/core/schema/pattern-match.ts";
import { validateValue } from "../src/core/schema/validate.ts";
import { textThatFits } from "./sample-text.ts";
import { wordList } from "./lines.ts";

const SAMPLE_DEPTH_MAX = 5;
const SAMPLE_ITEMS_MAX = 100;
const SAMPLE_CHARACTERS_MAX = 1_000;

/** Returns a made-up value, or undefined if none fits. */
export function sampleOf(parameter: Pick<Parameter, "schema" | "default" | "example">): Json | undefined {
  const own = [parameter.example, parameter.default].find(
    (value) => value !== undefined && fits(parameter.schema, value),
  );
  return own ?? samplesOf(parameter.schema, 0).find((value) => fits(parameter.schema, value));
}

function fits(schema: ParameterSchema, value: unknown): boolean {
  return validateValue(schema, value, "value").issues.length === 0;
}

function samplesOf(schema: ParameterSchema, depth: number): readonly Json[] {
  switch (schema.type) {
    case "string":
      return textsOf(schema);
    case "integer":
    case "number":
      return schema.choices ?? [schema.minimum ?? Math.min(1, schema.maximum ?? 1), Math.ceil(schema.minimum ?? 0)];
    case "boolean":
      return [true];
    case "array":
      return [listOf(schema, depth)];
    case "object":
      return [depth >= SAMPLE_DEPTH_MAX ? {} : fieldsOf(schema.properties, depth)];
  }
}

function textsOf(schema: StringSchema): readonly string[] {
  if (schema.choices) return schema.choices;
  // With such a pattern no text is tried here, so none is sure to fit.
  const patterns = [schema.pattern, schema.reject].filter((pattern) => pattern !== undefined);
  if (patterns.some((pattern) => patternMatch(pattern).unbounded !== undefined)) return [];
  const usual =
    schema.format === "url"
      ? "https://example.com/"
      : schema.format === "path"
        ? "."
        : schema.format === "json"
          ? '"text"'
          : "text";
  const made = schema.pattern === undefined ? undefined : textThatFits(schema.pattern);
  const texts = [usual, ...(made === undefined ? [] : [made]), ...usualTexts];
  const wanted = schema.minimumLength ?? 0;
  const longer =
    wanted > SAMPLE_CHARACTERS_MAX
      ? []
      : texts
          .filter((text) => text !== "")
          .map((text) => text.repeat(Math.ceil(wanted / text.length)).slice(0, schema.maximumLength));
  return [...texts, ...texts.map((text) => text.slice(0, schema.maximumLength)), ...longer];
}

/** Texts that most patterns accept. */
const usualTexts: readonly string[] = wordList(`
  a A 1 name main abc-123 1.0.0 v1.0.0 2026-01-31 12:00 2026-01-31T12:00:00Z name@example.com owner/name en-US
  0123456789abcdef0123456789abcdef01234567 123e4567-e89b-42d3-a456-426614174000 x
`);

function listOf(schema: ParameterSchema & { type: "array" }, depth: number): readonly Json[] {
  const count = Math.min(SAMPLE_ITEMS_MAX, Math.max(1, schema.minimumItems ?? 0));
  const samples =
    depth >= SAMPLE_DEPTH_MAX ? [] : samplesOf(schema.items, depth + 1).filter((value) => fits(schema.items, value));
  const distinct = [...new Map(samples.map((sample) => [JSON.stringify(sample), sample])).values()];
  if (schema.unique) return distinct.slice(0, count);
  const [first] = samples;
  return first === undefined ? [] : Array.from({ length: count }, () => first);
}

function fieldsOf(properties: readonly Parameter[], depth: number): JsonObject {
  return Object.fromEntries(
    properties
      .filter((property) => property.required)
      .flatMap((property) => {
        const value = [property.example, property.default, ...samplesOf(property.schema, depth + 1)].find(
          (one) => one !== undefined && fits(property.schema, one),
        );
        return value === undefined ? [] : [[property.name, value]];
      }),
  );
}

/** Returns the arguments of a suggestion with an accepted value in place of each placeholder. */
export function filledIn(
  parameters: readonly Parameter[],
  { arguments: args, placeholders }: { readonly arguments: JsonObject; readonly placeholders: readonly string[] },
): JsonObject {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      filled(
        parameters.find((parameter) => parameter.name === name),
        { value, path: name, placeholders: new Set(placeholders) },
      ),
    ]),
  );
}

interface Filling {
  readonly value: Json;
  readonly path: string;
  readonly placeholders: ReadonlySet<string>;
}

function filled(parameter: Parameter | undefined, { value, path, placeholders }: Filling): Json {
  if (!parameter) return value;
  if (placeholders.has(path)) return sampleOf(parameter) ?? null;
  const { schema } = parameter;
  if (schema.type === "array" && Array.isArray(value)) {
    const item = { name: parameter.name, description: "", schema: schema.items, required: true };
    const more = [sampleOf({ schema })].flat();
    return value.map((one: Json, index) =>
      placeholders.has(`${path}[${index}]`)
        ? (more[index] ?? null)
        : filled(item, { value: one, path: `${path}[${index}]`, placeholders }),
    );
  }
  if (schema.type !== "object" || !isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      filled(
        schema.properties.find((property) => property.name === name),
        { value: one, path: `${path}.${name}`, placeholders },
      ),
    ]),
  );
}
