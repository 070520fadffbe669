// `type` and `items` of a parameter: in the words of the format, of `.tool` files, and of other programs.
import { rowOf } from "../../../core/text/row-of.ts";
import type { ParameterSchema } from "../../../core/schema/parameter.ts";
import { foreignType, isPlainType, type TypeScope } from "../../../core/language/fields/types.ts";
import { replacing } from "../../../core/language/findings.ts";
import type { MappedText } from "../../../core/language/syntax/ast.ts";
import { describedKeys } from "../described-keys.ts";
import type { Fields } from "../fields.ts";
import { map, paragraph, text } from "../key-values.ts";
import { typeWords, validationKeys } from "./extension-keys.ts";
import { constrained, plainSchema, typeOfText } from "./parameter-schema.ts";

/** The types of the formats that have fewer. */
export const parameterTypes = ["string", "number", "integer", "boolean", "array", "object"] as const;

interface ReadType {
  readonly schema: ParameterSchema;
  /** Whether the word for the type says that its values are secret. */
  readonly isSecret: boolean;
}

const itemKeys = describedKeys(
  "`items`",
  {
    type: text("the type of an item", "path"),
    description: paragraph("what an item means"),
    validation: map(validationKeys, "which items are accepted"),
  },
  { lifts: ["validation"] },
);

/** Returns undefined if a problem was reported. */
export function readParameterType(fields: Fields, types: TypeScope): ReadType | undefined {
  const said = readTypeWord(fields, types);
  const entry = fields.entry("items");
  if (!entry || (fields.has("type") && !said)) return said ?? (fields.has("type") ? undefined : TEXT);
  const { value } = entry;
  if (said && said.schema.type !== "array") {
    fields.refuse("items", "`items` is for an array", { beside: fields.place("type"), help: ["write `type: array`"] });
    return undefined;
  }
  if (value.kind === "scalar") {
    const word = fields.textOf(value, "items");
    const items = word && readWord(word, fields, types);
    return items && { schema: { type: "array", items: items.schema }, isSecret: items.isSecret };
  }
  const inner = fields.fieldsOf(value, "items", itemKeys);
  const items = inner && (inner.has("type") ? readTypeWord(inner, types) : TEXT);
  if (!inner || !items) return undefined;
  const schema = constrained(items.schema, { validation: inner.fields("validation"), more: undefined });
  return { schema: { type: "array", items: schema }, isSecret: items.isSecret };
}

const TEXT: ReadType = { schema: { type: "string" }, isSecret: false };

function readTypeWord(fields: Fields, types: TypeScope): ReadType | undefined {
  const word = fields.text("type");
  return word && readWord(word, fields, types);
}

function readWord(word: MappedText, fields: Fields, types: TypeScope): ReadType | undefined {
  const isSecret = /^(?:secret|password|token)$/i.test(word.text);
  const meant = isSecret ? "string" : meantType(word.text);
  if (meant !== word.text)
    fields.findings.warn(
      "wrong-value",
      `the type \`${word.text.slice(0, 40)}\` is read as \`${meant}\`${isSecret ? " with `secret: true`" : ""}`,
      {
        at: word.span,
        ...(isSecret ? { help: ["write `type: string` and `secret: true`"] } : { fix: replacing(word.span, meant) }),
      },
    );
  const plain = typeWords.find((one) => one === meant);
  const schema = plain ? plainSchema(plain) : typeOfText({ ...word, text: meant }, types, fields.findings);
  return schema && { schema, isSecret };
}

const OTHER_WORDS: Readonly<Record<string, string>> = {
  list: "array",
  tuple: "array",
  set: "array",
  flag: "boolean",
  switch: "boolean",
  enum: "string",
  choice: "string",
  select: "string",
};

/** Returns the type as dottool writes it; the word itself if it may be one. */
export function meantType(word: string): string {
  const lower = word.toLowerCase();
  const [, before, of, within] =
    /^(?:([A-Za-z]+)\[\]|(?:array|list)\s+of\s+([A-Za-z]+?)s?|(?:array|list|sequence)\s*[[<(]\s*([A-Za-z]+)\s*[\])>])$/i.exec(
      word,
    ) ?? [];
  const items = before ?? of ?? within;
  if (items !== undefined) return `array<${meantType(items)}>`;
  if (typeWords.some((type) => type === lower)) return lower;
  return rowOf(OTHER_WORDS, lower) ?? foreignType(word) ?? word;
}

/** Whether the word is a type and nothing else, in one of these languages. */
export function isTypeWord(word: string): boolean {
  return isPlainType(meantType(word)) || /^array(?:<|$)/.test(meantType(word));
}
