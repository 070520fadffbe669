// `parameters`: each a name, a type and what else is known of it.
import type { Json } from "../../schema/json.ts";
import type { ArraySchema, Parameter, ParameterSchema, Pattern, StringSchema } from "../../schema/parameter.ts";
import { typeText } from "../../schema/describe.ts";
import { validateValue } from "../../schema/validate.ts";
import { regexProblem } from "../analyze-options.ts";
import type { Declaration } from "../ast.ts";
import type { Findings } from "../findings.ts";
import { Fields } from "../yaml/fields.ts";
import { toJson, type YamlEntry, type YamlNode } from "../yaml/node.ts";
import { parameterKeys, parameterSecurityKeys, validationKeys } from "./keys.ts";
import { plainTransforms } from "./transform.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const types = ["string", "number", "boolean", "array", "object"] as const;
const otherTypes: Readonly<Record<string, (typeof types)[number]>> = { str: "string", text: "string", int: "number", integer: "number", float: "number", bool: "boolean", list: "array", map: "object", dict: "object", json: "object" };

export interface ReadParameters {
  readonly parameters: readonly Declaration[];
  /** With those that have a mistake: their uses are none. */
  readonly known: readonly Declaration[];
}

export function readParameters(fields: Fields, findings: Findings): ReadParameters {
  const parameters: Declaration[] = [];
  const known: Declaration[] = [];
  for (const entry of fields.entries("parameters")) {
    const { key, keySpan } = entry;
    if (!NAME.test(key)) {
      findings.error("invalid-name", `no parameter can be called \`${key.slice(0, 64)}\``, { at: keySpan, help: ["a name is letters, digits, `_` and `-`, begins with a letter or `_`, and has at most 64 characters"] });
      continue;
    }
    const parameter = readParameter(entry, fields, findings);
    if (parameter) parameters.push({ parameter, span: keySpan });
    known.push({ parameter: parameter ?? { name: key, description: "", schema: { type: "string" }, required: false }, span: keySpan });
  }
  return { parameters, known };
}

/** Undefined: what is wrong is told. */
function readParameter({ key: name, keySpan, value }: YamlEntry, owner: Fields, findings: Findings): Parameter | undefined {
  const fields = owner.fieldsOf(value, name, parameterKeys);
  if (!fields) return undefined;
  const described = fields.text("description");
  const type = fields.has("type") ? fields.choice("type", types, otherTypes) : "string";
  if (type === undefined) return undefined;
  checkEscaping(fields);
  const transform = readTransform(fields);
  const plain = transform === undefined ? undefined : plainTransforms(transform);
  const schema = withTransforms(constrained(plainSchema(type), fields, findings), plain ?? []);
  const isExpression = transform !== undefined && (plain === undefined || schema === undefined);
  const final = schema ?? constrained(plainSchema(type), fields, findings);
  if (!final) return undefined;
  // What an expression makes of it is known only when it has run.
  const required = fields.flag("required") ?? false;
  const fallback = required ? undefined : typedValue(fields, "default", isExpression ? plainSchema(type) : final);
  const examples = fields.list("examples").flatMap((item) => typedNode(item, { fields, key: "examples", schema: isExpression ? plainSchema(type) : final }) ?? []);
  if (required && fields.has("default")) {
    findings.warn("conflicting-keys", `\`${name}\` is required, so its default is never used`, { at: fields.place("default"), related: [{ span: fields.place("required"), text: "" }], help: ["leave one of the two out"] });
  }
  if (!described && !fields.has("description")) findings.warn("missing-description", `the parameter \`${name}\` has no description`, { at: keySpan, help: ["add `description:` with what a value means: that is all a model knows of it"] });
  const [example, ...otherExamples] = examples;
  const help = fields.text("detailed-help")?.text;
  const flag = readFormat(fields, type);
  return {
    name,
    description: described?.text ?? "",
    schema: final,
    required,
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(flag === undefined ? {} : { flag }),
    ...(example === undefined ? {} : { example }),
    ...(otherExamples.length === 0 ? {} : { otherExamples }),
    ...(help === undefined ? {} : { help }),
    ...(isExpression ? { transform } : {}),
  };
}

function plainSchema(type: (typeof types)[number]): ParameterSchema {
  switch (type) {
    case "string":
    case "number":
    case "boolean":
      return { type };
    case "array":
      return { type: "array", items: { type: "string" } };
    case "object":
      return { type: "object", properties: [], open: true };
  }
}

/** Every value stays a value, whatever is in it. */
function checkEscaping(fields: Fields): void {
  const security = fields.fields("security", parameterSecurityKeys);
  if (security?.flag("escape-shell") !== false) return;
  fields.findings.error("unsafe-placeholder", "a value can never become program text, so there is nothing that would switch this off", {
    at: security.entry("escape-shell")?.value.span ?? security.place("escape-shell"),
    help: ["leave `escape-shell` out; for a list of words, declare `type: array`"],
  });
}

function readTransform(fields: Fields): string | undefined {
  return fields.text("transform")?.text.trim().replace(/;$/, "");
}

/** Undefined: only an expression can do that to such a value. */
function withTransforms(schema: ParameterSchema | undefined, transforms: NonNullable<StringSchema["transforms"]>): ParameterSchema | undefined {
  if (transforms.length === 0 || !schema) return schema;
  return schema.type === "string" ? { ...schema, transforms } : undefined;
}

function constrained(schema: ParameterSchema, owner: Fields, findings: Findings): ParameterSchema | undefined {
  const fields = owner.fields("validation", validationKeys);
  if (!fields) return owner.has("validation") ? undefined : schema;
  const misfit = (keys: readonly string[], help: string): void => {
    for (const key of keys) if (fields.has(key)) findings.warn("wrong-value", `\`${key}\` means nothing for ${typeText(schema)}`, { at: fields.place(key), help: [help] });
  };
  switch (schema.type) {
    case "number":
    case "integer": {
      misfit(["pattern", "minLength", "maxLength", "enum"], "numbers have `minimum` and `maximum`");
      const [minimum, maximum] = range(fields, ["minimum", "maximum"], { least: -Infinity, isWhole: false });
      return { ...schema, ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
    }
    case "string":
      misfit(["minimum", "maximum"], "texts have `minLength`, `maxLength`, `pattern` and `enum`");
      return { ...textSchema(schema, fields, findings), ...lengths(fields) };
    case "array": {
      misfit(["minimum", "maximum"], "for the number of items write `minLength` and `maxLength`");
      const [minimumItems, maximumItems] = range(fields, ["minLength", "maxLength"], { least: 0, isWhole: true });
      const items = textSchema({ type: "string" }, fields, findings);
      return { ...(schema as ArraySchema), items, ...(minimumItems === undefined ? {} : { minimumItems }), ...(maximumItems === undefined ? {} : { maximumItems }) };
    }
    case "boolean":
    case "object":
      misfit(validationKeys.keys, "only its type is checked");
      return schema;
  }
}

function textSchema(schema: StringSchema, fields: Fields, findings: Findings): StringSchema {
  const pattern = readPattern(fields, findings);
  const choices = fields.texts("enum").map(({ text }) => text);
  return {
    ...schema,
    ...(choices.length === 0 ? {} : { choices: [...new Set(choices)] }),
    ...(pattern ? { pattern } : {}),
  };
}

function lengths(fields: Fields): Pick<StringSchema, "minimumLength" | "maximumLength"> {
  const [minimumLength, maximumLength] = range(fields, ["minLength", "maxLength"], { least: 0, isWhole: true });
  return { ...(minimumLength === undefined ? {} : { minimumLength }), ...(maximumLength === undefined ? {} : { maximumLength }) };
}

function range(fields: Fields, keys: readonly [string, string], { least, isWhole }: { readonly least: number; readonly isWhole: boolean }): readonly [minimum?: number | undefined, maximum?: number | undefined] {
  const [low, high] = keys.map((key) => fields.number(key, { least, most: isWhole ? Number.MAX_SAFE_INTEGER : Infinity, isWhole }));
  if (low !== undefined && high !== undefined && low > high) fields.findings.error("conflicting-keys", `no value is at least ${low} and at most ${high}`, { at: fields.place(keys[1]), related: [{ span: fields.place(keys[0]), text: "" }] });
  return [low, high];
}

/** Here a pattern may match anywhere in the value; ours match the whole of it. */
function readPattern(fields: Fields, findings: Findings): Pattern | undefined {
  const text = fields.text("pattern");
  if (!text) return undefined;
  const problem = regexProblem({ source: text.text, flags: "" });
  if (problem !== undefined) return void findings.error("bad-regex", "this is no regular expression", { at: text.span, label: problem });
  return { source: wholePattern(text.text), flags: "" };
}

export function wholePattern(source: string): string {
  const isAnchored = source.startsWith("^") && /(?:^|[^\\])(?:\\\\)*\$$/.test(source) && !hasOuterAlternative(source);
  return isAnchored ? source.slice(1, -1) : String.raw`[\s\S]*(?:${source})[\s\S]*`;
}

function hasOuterAlternative(source: string): boolean {
  return source.replace(/\\[^]/g, "").replace(/\[[^\]]*\]/g, "").includes("|");
}

function typedValue(fields: Fields, key: "default", schema: ParameterSchema): Json | undefined {
  const entry = fields.entry(key);
  if (!entry || (entry.value.kind === "scalar" && entry.value.value === null)) return undefined;
  return typedNode(entry.value, { fields, key, schema });
}

/** A value as its author wrote it, by the declared type: text stays as it is written, `007` too. */
function typedNode(node: YamlNode, { fields, key, schema }: { readonly fields: Fields; readonly key: "default" | "examples"; readonly schema: ParameterSchema }): Json | undefined {
  const value = withTexts(node, schema);
  const checked = validateValue(schema, value, "");
  if (checked.value !== undefined) return checked.value;
  const at = node.kind === "scalar" ? node.span : { ...node.span, end: Math.min(node.span.end, node.span.start + 1) };
  const label = checked.issues[0]?.message ?? "";
  if (key === "default") fields.findings.error("default-mismatch", "this default does not fit the parameter", { at, label });
  // Nothing depends on an example: it is left out.
  else fields.findings.warn("example-mismatch", "this example does not fit the parameter, and is not shown", { at, label });
  return undefined;
}

function withTexts(node: YamlNode, schema: ParameterSchema): Json {
  if (schema.type === "string" && node.kind === "scalar" && node.value !== null) return node.text.text;
  if (schema.type === "array" && node.kind === "list") return node.items.map((item) => withTexts(item, schema.items));
  return toJson(node);
}

/** How a present value appears in the command; the braces name the value. */
function readFormat(fields: Fields, type: (typeof types)[number]): string | undefined {
  const text = fields.text("format");
  // The value alone is what every parameter leaves.
  if (!text || text.text.trim() === "{value}") return undefined;
  if (type === "boolean" || text.text.includes("{value}")) return text.text;
  fields.findings.error("wrong-value", "`format` does not say where the value goes", { at: text.span, label: "expected a text with `{value}`" });
  return undefined;
}
