// Text with `{placeholders}` outside of commands: `@cwd`, `@stdin`, `@env`, `@with`. Split once, when the definition is
// read or the tool is built; small, because building needs no grammar.
import { typeText } from "../../schema/describe.ts";
import { isJsonObject, type Json } from "../../schema/json.ts";
import type { ParameterSchema } from "../../schema/parameter.ts";
import { validateValue } from "../../schema/validate.ts";
import type { Checked, Diagnostic } from "../../text/diagnostic.ts";
import { LiteralBraces } from "../../text/literal-braces.ts";
import type { Spanned } from "../../text/source.ts";
import { isLiteral, type PlaceholderPart, type Template, type ValueTemplate } from "../../tool/template.ts";
import type { Declaration, MappedText } from "./ast.ts";
import { diagnosticOf } from "../findings.ts";
import { unknownPlaceholder } from "../kinds/command-problems.ts";

/** `{}`, `{{`, `}}` and `{name}`, as in grammar/command.ohm. */
const MARK = /\{\}|\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_-]*)\}/g;
const VALUE_DEPTH_MAX = 100;

/** Names alone will do; declarations let messages point at them. */
export type Names = readonly string[] | readonly Declaration[];

export function parseTemplate(text: MappedText, names: Names): Checked<Template> {
  const split = splitTemplate(text.text);
  const diagnostics = split.placeholders
    .filter(({ name }) => !isKnown(names, name))
    .map((piece) => unknownPlaceholder({ text, declarations: names }, piece));
  return diagnostics.length > 0 ? { diagnostics } : { value: { parts: split.parts }, diagnostics };
}

/**
 * A value for a parameter of another tool. For a string, the text is the template, with or without JSON quotes around
 * all of it. For the other types it is JSON whose strings are templates, or one placeholder, which keeps the type of
 * its value.
 */
export function parseValueTemplate(
  text: Spanned<string>,
  schema: ParameterSchema,
  names: Names,
): Checked<ValueTemplate> {
  const parsed = schema.type === "string" ? textOrQuoted(text.value) : jsonOrPlaceholder(text.value);
  if (parsed === undefined)
    return { diagnostics: [mismatch(text, `expected ${typeText(schema)} as JSON, or one placeholder`)] };
  const reading: Reading = { text, names, diagnostics: [] };
  const value = valueTemplate(parsed, reading, 0);
  if (value !== undefined && isLiteral(value)) {
    for (const issue of validateValue(schema, fixedValue(value), "").issues)
      reading.diagnostics.push(mismatch(text, issue.message));
  }
  return value === undefined || reading.diagnostics.length > 0
    ? { diagnostics: reading.diagnostics }
    : { value, diagnostics: [] };
}

interface Reading {
  readonly text: Spanned<string>;
  readonly names: Names;
  readonly diagnostics: Diagnostic[];
}

function isKnown(names: Names, name: string): boolean {
  return names.some((known) => (typeof known === "string" ? known : known.parameter.name) === name);
}

interface SplitTemplate {
  readonly parts: readonly (string | PlaceholderPart)[];
  readonly placeholders: readonly { readonly name: string; readonly start: number }[];
}

function splitTemplate(text: string): SplitTemplate {
  const parts: (string | PlaceholderPart)[] = [];
  const placeholders: { readonly name: string; readonly start: number }[] = [];
  const braces = new LiteralBraces();
  let literal = "";
  let from = 0;
  for (const match of text.matchAll(MARK)) {
    const [mark, name] = match;
    literal += text.slice(from, match.index);
    from = match.index + mark.length;
    if (name === undefined) {
      literal += braces.read(mark);
      continue;
    }
    if (literal !== "") parts.push(literal);
    literal = "";
    parts.push({ placeholder: name });
    placeholders.push({ name, start: match.index });
  }
  literal += text.slice(from);
  if (literal !== "" || parts.length === 0) parts.push(literal);
  return { parts, placeholders };
}

function textOrQuoted(text: string): Json {
  const quoted = text.startsWith('"') && text.endsWith('"') ? parsedJson(text) : undefined;
  return typeof quoted === "string" ? quoted : text;
}

function jsonOrPlaceholder(text: string): Json | undefined {
  return /^\{[A-Za-z_][A-Za-z0-9_-]*\}$/.test(text) ? text : parsedJson(text);
}

function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function valueTemplate(value: Json, reading: Reading, depth: number): ValueTemplate | undefined {
  if (depth > VALUE_DEPTH_MAX) {
    reading.diagnostics.push({
      ...mismatch(reading.text, `nested deeper than ${VALUE_DEPTH_MAX} levels`),
      code: "too-deep",
    });
    return undefined;
  }
  if (typeof value === "string") return textTemplate(value, reading);
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => valueTemplate(item, reading, depth + 1));
    return items.every((item) => item !== undefined) ? { kind: "array", items } : undefined;
  }
  if (!isJsonObject(value)) return { kind: "literal", value };
  const entries: (readonly [string, ValueTemplate])[] = [];
  for (const [name, inner] of Object.entries(value)) {
    const template = valueTemplate(inner, reading, depth + 1);
    if (template === undefined) return undefined;
    entries.push([name, template]);
  }
  return { kind: "object", entries };
}

function textTemplate(text: string, reading: Reading): ValueTemplate {
  const { parts, placeholders } = splitTemplate(text);
  for (const { name } of placeholders) {
    if (isKnown(reading.names, name)) continue;
    const { value, span } = reading.text;
    const start = Math.max(0, value.indexOf(`{${name}}`));
    const isOneLine = span.end - span.start === value.length;
    const mapped: MappedText = {
      text: value,
      span,
      offsetAt: (index) => (isOneLine ? span.start + index : Math.min(span.end, span.start + index)),
    };
    reading.diagnostics.push(unknownPlaceholder({ text: mapped, declarations: reading.names }, { name, start }));
  }
  return { kind: "text", text: { parts } };
}

function fixedValue(template: ValueTemplate): Json {
  switch (template.kind) {
    case "literal":
      return template.value;
    case "text":
      return template.text.parts.filter((part) => typeof part === "string").join("");
    case "array":
      return template.items.map(fixedValue);
    case "object":
      return Object.fromEntries(template.entries.map(([name, value]) => [name, fixedValue(value)]));
  }
}

function mismatch(text: Spanned<string>, message: string): Diagnostic {
  return diagnosticOf("default-mismatch", `this value does not fit the parameter: ${message}`, { at: text.span });
}
