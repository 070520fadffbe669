// The keys that every format has for a parameter: `type`, `required`, `default`, `description`.
import { convertText } from "../../core/schema/convert-text.ts";
import type { Json } from "../../core/schema/json.ts";
import type { Parameter, ParameterSchema } from "../../core/schema/parameter.ts";
import { validateValue } from "../../core/schema/validate.ts";
import type { Span } from "../../core/text/source.ts";
import type { Declaration } from "../../core/language/syntax/ast.ts";
import type { Findings } from "../../core/language/findings.ts";
import type { Fields } from "./fields.ts";
import { toJson } from "./node.ts";

export const parameterTypes = ["string", "number", "integer", "boolean", "array", "object"] as const;
const otherTypes: Readonly<Record<string, (typeof parameterTypes)[number]>> = {
  str: "string",
  text: "string",
  int: "integer",
  float: "number",
  bool: "boolean",
  list: "array",
  map: "object",
  dict: "object",
  json: "object",
};

export interface ReadParameters {
  readonly parameters: readonly Declaration[];
  /** All names, also those with mistakes, so that their uses are not reported. */
  readonly known: readonly Declaration[];
}

interface ParameterName extends DeclaredName {
  /** What the format says of it beyond these keys. */
  readonly also: Partial<Parameter>;
  /** Adds what the format has beyond `type`; returns undefined if a problem was reported. */
  readonly narrowed?: (schema: ParameterSchema) => ParameterSchema | undefined;
}

interface DeclaredName {
  readonly name: string;
  readonly span: Span;
  /** Another name that no other parameter may have. */
  readonly alsoTaken?: string;
}

/** Reads each parameter once. `named` and `read` return undefined if a problem was reported. */
export function readDeclared<Item, Named extends DeclaredName>(
  items: readonly Item[],
  { noun, findings }: { readonly noun: string; readonly findings: Findings },
  how: { named(item: Item): Named | undefined; read(item: Item, named: Named): Parameter | undefined },
): ReadParameters {
  const parameters: Declaration[] = [];
  const known: Declaration[] = [];
  const taken = new Map<string, Span>();
  for (const item of items) {
    const named = how.named(item);
    if (!named) continue;
    const { name, span, alsoTaken = name } = named;
    const first = taken.get(name) ?? taken.get(alsoTaken);
    for (const one of [name, alsoTaken]) if (!first) taken.set(one, span);
    if (first) {
      const related = [{ span: first, text: "first given here" }];
      findings.error("duplicate-parameter", `duplicate ${noun} \`${name}\``, { at: span, related });
      continue;
    }
    const parameter = how.read(item, named);
    if (parameter) parameters.push({ parameter, span });
    known.push({
      parameter: parameter ?? { name, description: "", schema: { type: "string" }, required: false },
      span,
    });
  }
  return { parameters, known };
}

/** `noun` is that of messages: `argument`. `named` returns undefined if a problem was reported. */
export function readTypedParameters(
  owner: Fields,
  [key, noun]: readonly [string, string],
  named: (fields: Fields) => ParameterName | undefined,
): ReadParameters {
  const { findings } = owner;
  const read = (fields: Fields, names: ParameterName): Parameter | undefined => readTypedParameter(fields, names, noun);
  return readDeclared(owner.maps(key), { noun, findings }, { named, read });
}

/** Returns undefined if a problem was reported. */
function readTypedParameter(
  fields: Fields,
  { name, span, also, narrowed }: ParameterName,
  noun: string,
): Parameter | undefined {
  const { findings } = fields;
  const type = fields.has("type") ? fields.choice("type", parameterTypes, otherTypes) : "string";
  const description = fields.text("description")?.text.trim();
  const required = fields.flag("required") ?? false;
  if (description === undefined && !fields.has("description"))
    findings.warn("missing-description", `the ${noun} \`${name}\` has no description`, {
      at: span,
      help: ["add `description:` to say what a value means: models see nothing else"],
    });
  const plain = type && plainSchema(type);
  const schema = plain && narrowed ? narrowed(plain) : plain;
  if (!schema) return undefined;
  const fallback = readDefault(fields, schema, noun);
  if (required && fallback !== undefined)
    fields.refuse("default", `\`${name}\` is required, so its default is never used`, {
      beside: fields.place("required"),
      help: ["remove one of the two"],
    });
  return {
    name,
    description: description ?? "",
    schema,
    required,
    ...(fallback === undefined ? {} : { default: fallback }),
    ...also,
  };
}

function plainSchema(type: (typeof parameterTypes)[number]): ParameterSchema {
  switch (type) {
    case "array":
      return { type, items: { type: "string" } };
    case "object":
      return { type, properties: [], open: true };
    case "string":
    case "number":
    case "integer":
    case "boolean":
      return { type };
  }
}

/**
 * A value as its author wrote it, by the declared type: `007` stays text if the type is text. `null` is not a value.
 */
function readDefault(fields: Fields, schema: ParameterSchema, noun: string): Json | undefined {
  const value = fields.entry("default")?.value;
  if (!value || (value.kind === "scalar" && value.value === null)) return undefined;
  const json = value.kind === "scalar" ? (convertText(schema, value.text.text).value ?? value.value) : toJson(value);
  const checked = validateValue(schema, json, "");
  if (checked.value !== undefined) return checked.value;
  const at =
    value.kind === "scalar" ? value.span : { ...value.span, end: Math.min(value.span.end, value.span.start + 1) };
  return void fields.findings.error("default-mismatch", `this default does not fit the ${noun}`, {
    at,
    label: checked.issues[0]?.message ?? "",
  });
}
