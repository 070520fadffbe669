// `parameters`: each with a name, a type and further facts.
import type { Json } from "../../../core/schema/json.ts";
import { isAny, type Parameter, type ParameterSchema, type StringSchema } from "../../../core/schema/parameter.ts";
import { validateValue } from "../../../core/schema/validate.ts";
import type { TypeScope } from "../../../core/language/fields/types.ts";
import { replacing } from "../../../core/language/findings.ts";
import type { Fields } from "../fields.ts";
import { isName } from "../names.ts";
import type { Declaration } from "../../../core/language/syntax/ast.ts";
import { entryOf, isText, toJson, type YamlEntry, type YamlMap, type YamlNode } from "../node.ts";
import { propertyKeys } from "./extension-keys.ts";
import { EXTENSION } from "../described-keys.ts";
import { parameterKeys } from "./keys.ts";
import { constrained, plainSchema, readType, typeWordOf, unsaidType, withTransforms } from "./parameter-schema.ts";
import { isTypeWord, meantType, readParameterType } from "./parameter-type.ts";

export interface ReadParameters {
  readonly parameters: readonly Declaration[];
  /** All names, also those with mistakes, so that their uses are not reported. */
  readonly known: readonly Declaration[];
}

export function readParameters(fields: Fields, types: TypeScope): ReadParameters {
  return readNamedParameters(namedEntries(fields), fields, types);
}

/** Reads each parameter once. */
export function readNamedParameters(entries: readonly YamlEntry[], owner: Fields, types: TypeScope): ReadParameters {
  const { findings } = owner;
  const parameters: Declaration[] = [];
  const known = new Map<string, Declaration>();
  for (const entry of entries) {
    const { key: name, keySpan: span } = entry;
    if (!isName("parameter name", { text: name, span }, findings)) continue;
    const parameter = known.has(name) ? undefined : readParameter(entry, owner, types);
    const isTaken = ({ parameter: { option } }: Declaration): boolean =>
      option !== undefined && option === parameter?.option;
    const first = known.get(name) ?? parameters.find(isTaken);
    if (first) {
      const related = [{ span: first.span, text: "first given here" }];
      findings.error("duplicate-parameter", `duplicate parameter \`${name}\``, { at: span, related });
      continue;
    }
    if (parameter) parameters.push({ parameter, span });
    const unread = { name, description: "", schema: { type: "string" }, required: false } as const;
    known.set(name, { parameter: parameter ?? unread, span });
  }
  return { parameters, known: [...known.values()] };
}

/** Returns the parameters by name, also of a list. */
function namedEntries(fields: Fields): readonly YamlEntry[] {
  const value = fields.entry("parameters")?.value;
  if (value?.kind === "map") return propertiesOf(value) ?? fields.entries("parameters");
  if (!value) return [];
  const entries = value.kind === "list" ? value.items.map((item) => itemEntry(item)) : [];
  // What is not known by name is not told where it is used.
  if (value.kind === "scalar" || entries.includes(undefined)) fields.findings.lacksNames();
  if (value.kind === "scalar") return fields.entries("parameters");
  for (const [index, item] of value.items.entries())
    if (!entries[index])
      fields.findings.error("wrong-value", "each entry of `parameters` must be a map with a `name`", {
        at: { ...item.span, end: item.span.start + 1 },
      });
  return entries.flatMap((entry) => entry ?? []);
}

/** Reads the parameters of a JSON Schema of an object, with the names of those that are required. */
function propertiesOf(map: YamlMap): readonly YamlEntry[] | undefined {
  const properties = entryOf(map, "properties")?.value;
  const names = entryOf(map, "required")?.value;
  const isObject = isText(entryOf(map, "type")?.value, "object") || names?.kind === "list";
  if (properties?.kind !== "map" || !isObject) return undefined;
  const required = names?.kind === "list" ? names.items : [];
  return properties.entries.map((entry) => {
    const { value } = entry;
    const named = required.find((name) => isText(name, entry.key));
    if (value.kind !== "map" || named?.kind !== "scalar") return entry;
    const isRequired: YamlEntry = { key: "required", keySpan: named.span, value: { ...named, value: true } };
    return { ...entry, value: { ...value, entries: [...value.entries, isRequired] } };
  });
}

/** Reads a map with a `name`, a map by its name, or a name alone. */
function itemEntry(item: YamlNode): YamlEntry | undefined {
  if (item.kind === "list") return undefined;
  const named = item.kind === "map" ? entryOf(item, "name") : undefined;
  const name = item.kind === "scalar" ? item : named?.value;
  if (name?.kind === "scalar" && name.value !== null) {
    const entries = item.kind === "map" ? item.entries.filter((entry) => entry !== named) : [];
    return { key: name.text.text, keySpan: name.text.span, value: { kind: "map", entries, span: item.span } };
  }
  const [only, ...others] = item.kind === "map" ? item.entries : [];
  return only?.value.kind === "map" && others.length === 0 ? only : undefined;
}

/** Returns undefined if a problem was reported. */
function readParameter(
  { key: name, keySpan, value: written }: YamlEntry,
  owner: Fields,
  types: TypeScope,
): Parameter | undefined {
  const { findings } = owner;
  // A name without keys is a text; other languages write `A: string`.
  const isBare = written.kind === "scalar" && written.value === null;
  const value: YamlNode = isBare ? { kind: "map", entries: [], span: keySpan } : written;
  if (value.kind === "scalar")
    return void owner.wrong(value, name, {
      expected: "a map of keys and values",
      fix: isTypeWord(value.text.text)
        ? replacing(value.span, `{ type: ${meantType(value.text.text)} }`)
        : replacing(value.span, `{ description: ${JSON.stringify(value.text.text)} }`),
    });
  const fields = owner.fieldsOf(value, name, parameterKeys);
  if (!fields) return undefined;
  const more = fields.fields(EXTENSION);
  const declared = readParameterType(fields, types);
  const precise = more && readType(more, types);
  if (!declared || (more?.has("type") && !precise)) return undefined;
  if (more && precise) unsaidType(more, typeWordOf(declared.schema), precise);
  const plain = precise ?? declared.schema;
  checkEscaping(fields);
  const transform = fields.text("transform")?.text.trim().replace(/;$/, "");
  const simple = transform === undefined ? undefined : plainTransforms(transform);
  const validation = fields.fields("validation");
  if (!validation && fields.has("validation")) return undefined;
  const narrow = constrained(plain, { validation, more });
  const schema = withTransforms(narrow, simple ?? []);
  const isExpression = transform !== undefined && (simple === undefined || schema === undefined);
  // The result of an expression is only known after it has run.
  const said = parameterKeys.read(fields);
  const required = said.required ?? false;
  const { default: fallback, ...others } = readValues(fields, {
    schema: isExpression ? plain : (schema ?? narrow),
    required,
  });
  // An empty text that is pasted into a command leaves no word behind. A precise type has the values of `.tool` files.
  const values = {
    ...others,
    ...(fallback === undefined || (fallback === "" && !precise) ? {} : { default: fallback }),
  };
  if (required && fields.has("default")) {
    findings.warn("conflicting-keys", `\`${name}\` is required, so its default is never used`, {
      at: fields.place("default"),
      related: [{ span: fields.place("required"), text: "" }],
      help: ["remove one of the two"],
    });
  }
  if (!fields.has("description"))
    findings.warn("missing-description", `the parameter \`${name}\` has no description`, {
      at: keySpan,
      help: ["add `description:` to say what a value means: models see nothing else"],
    });
  const flag = readFormat(fields, plain.type === "boolean" ? "boolean" : "other");
  if (more) checkExtension(more, said, narrow);
  return {
    name,
    description: "",
    ...said,
    ...(declared.isSecret ? { secret: true } : {}),
    schema: schema ?? narrow,
    required,
    ...values,
    ...(flag === undefined ? {} : { flag }),
    ...(isExpression ? { transform } : {}),
  };
}

/** Reports what a value of this type cannot be. */
function checkExtension(fields: Fields, { fromStdin, flags }: Partial<Parameter>, schema: ParameterSchema): void {
  if (fromStdin && schema.type !== "string")
    fields.findings.error("wrong-value", "piped input is text", {
      at: fields.place("stdin"),
      help: ["declare `type: string`"],
    });
  if (flags && schema.type !== "string" && schema.type !== "array")
    fields.findings.error("wrong-value", "`flags` needs a string or array parameter", { at: fields.place("flags") });
}

/** Reads a property of a type below `x-dottool`. Returns undefined if a problem was reported. */
export function readProperty({ key: name, value }: YamlEntry, owner: Fields, types: TypeScope): Parameter | undefined {
  const fields = owner.fieldsOf(value, name, propertyKeys);
  const plain = fields && (fields.has("type") ? readType(fields, types) : plainSchema("string"));
  if (!fields || !plain) return undefined;
  const schema = constrained(plain, { validation: fields.fields("validation"), more: fields });
  const { description = "", required = false } = propertyKeys.read(fields);
  return { name, description, schema, required, ...readValues(fields, { schema, required }) };
}

function readValues(
  fields: Fields,
  { schema, required }: { readonly schema: ParameterSchema; readonly required: boolean },
): Pick<Parameter, "default" | "example" | "otherExamples"> {
  const fallback = required ? undefined : typedValue(fields, "default", schema);
  const [example, ...otherExamples] = fields
    .list("examples")
    .map((item) => typedNode(item, { fields, key: "examples", schema }))
    .filter((one) => one !== undefined);
  return {
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(example === undefined ? {} : { example }),
    ...(otherExamples.length === 0 ? {} : { otherExamples }),
  };
}

/** Refuses `escape-shell: false`, because a value always stays a value. */
function checkEscaping(fields: Fields): void {
  const security = fields.fields("security");
  if (security?.flag("escape-shell") !== false) return;
  fields.findings.error(
    "unsafe-placeholder",
    "`escape-shell` cannot be switched off: a value never becomes program text",
    {
      at: security.entry("escape-shell")?.value.span ?? security.place("escape-shell"),
      help: ["remove `escape-shell`; for a list of words, declare `type: array`"],
    },
  );
}

function typedValue(fields: Fields, key: "default", schema: ParameterSchema): Json | undefined {
  const entry = fields.entry(key);
  const takesNull = isAny(schema);
  if (!entry || (entry.value.kind === "scalar" && entry.value.value === null && !takesNull)) return undefined;
  return typedNode(entry.value, { fields, key, schema });
}

/** Reads a value as its author wrote it, by the declared type: text stays as it is written, also `007`. */
function typedNode(
  node: YamlNode,
  {
    fields,
    key,
    schema,
  }: { readonly fields: Fields; readonly key: "default" | "examples"; readonly schema: ParameterSchema },
): Json | undefined {
  const value = withTexts(node, schema);
  const checked = validateValue(schema, value, "");
  if (checked.value !== undefined) return checked.value;
  const at = node.kind === "scalar" ? node.span : { ...node.span, end: Math.min(node.span.end, node.span.start + 1) };
  const label = checked.issues[0]?.message ?? "";
  if (key === "default")
    fields.findings.error("default-mismatch", "this default does not fit the parameter", { at, label });
  // Nothing depends on an example, so it is left out.
  else
    fields.findings.warn("example-mismatch", "this example does not fit the parameter, and is ignored", {
      at,
      label,
    });
  return undefined;
}

function withTexts(node: YamlNode, schema: ParameterSchema): Json {
  if (schema.type === "string" && !isAny(schema) && node.kind === "scalar" && node.value !== null)
    return node.text.text;
  if (schema.type === "array" && node.kind === "list") return node.items.map((item) => withTexts(item, schema.items));
  return toJson(node);
}

/** Reads how a value appears in the command, when there is one. The braces name the value. */
function readFormat(fields: Fields, type: "boolean" | "other"): string | undefined {
  const text = fields.text("format");
  // Every parameter becomes its value alone by default.
  if (!text || text.text.trim() === "{value}") return undefined;
  const [expression] = /\{(?!value\})[^{}]*\bvalue\b[^{}]*\}/.exec(text.text) ?? [];
  if (expression !== undefined) {
    fields.findings.error(
      "wrong-value",
      `\`format\` computes nothing: \`${expression.slice(0, 80)}\` would be plain text`,
      {
        at: text.span,
        label: type === "boolean" ? "expected words" : "expected text with `{value}`",
        help: [
          type === "boolean"
            ? 'write the words alone, as in `format: "--verbose"`: they are there if the value is true'
            : 'write `format: "--name {value}"`: without a value, none of the words is there',
        ],
      },
    );
    return undefined;
  }
  if (type === "boolean" || text.text.includes("{value}")) return text.text;
  fields.findings.error("wrong-value", "`format` has no `{value}`", {
    at: text.span,
    label: "expected text with `{value}`",
    fix: /^--?[\w-]+[= ]?$/.test(text.text)
      ? replacing(text.span, `"${text.text.replace(/(?<![= ])$/, " ")}{value}"`)
      : undefined,
  });
  return undefined;
}

type PlainTransform = NonNullable<StringSchema["transforms"]>[number];

const METHODS: ReadonlyMap<string, PlainTransform> = new Map([
  ["toLowerCase", "lower"],
  ["toLocaleLowerCase", "lower"],
  ["toUpperCase", "upper"],
  ["toLocaleUpperCase", "upper"],
  ["trim", "trim"],
]);

/** Returns the transforms, or undefined if the expression is not a chain of these. */
export function plainTransforms(expression: string): readonly PlainTransform[] | undefined {
  const [, chain = ""] = /^\s*value((?:\s*\.\s*[A-Za-z]+\s*\(\s*\))+)\s*(?:;\s*)?$/.exec(expression) ?? [];
  const transforms = [...chain.matchAll(/[A-Za-z]+/g)].map(([method]) => METHODS.get(method));
  const known = transforms.filter((transform) => transform !== undefined);
  return known.length === 0 || known.length < transforms.length ? undefined : [...new Set(known)];
}
