// The schema of a parameter or a property, from `type`, `validation` and `x-dottool`.
import {
  isAny,
  type NumberSchema,
  type ParameterSchema,
  type Pattern,
  type StringSchema,
} from "../../../core/schema/parameter.ts";
import { type Bounds, withBounds } from "../../../core/schema/bounds.ts";
import { typeText } from "../../../core/schema/describe.ts";
import { exactNumber, numberChoices } from "../../../core/schema/number-choices.ts";
import { onStrings } from "../../../core/language/fields/constraints.ts";
import { checkedRegex } from "../../../core/language/fields/options.ts";
import { schemaOfType, type TypeScope } from "../../../core/language/fields/types.ts";
import type { MappedText } from "../../../core/language/syntax/ast.ts";
import { matchRule } from "../../../core/language/syntax/grammar.ts";
import type { Findings } from "../../../core/language/findings.ts";
import type { Fields } from "../fields.ts";
import { readSlashed } from "./checked-texts.ts";
import { type typeWords, validationKeys } from "./extension-keys.ts";

export type TypeWord = (typeof typeWords)[number];

export function plainSchema(type: TypeWord): ParameterSchema {
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

/** Reads a type such as `array<path>`. Returns undefined if it is missing, or if a problem was reported. */
export function readType(fields: Fields, types: TypeScope): ParameterSchema | undefined {
  const text = fields.text("type");
  return text && typeOfText(text, types, fields.findings);
}

export function typeOfText(text: MappedText, types: TypeScope, findings: Findings): ParameterSchema | undefined {
  const braced: MappedText = {
    text: `{${text.text}}`,
    span: text.span,
    offsetAt: (index) => text.offsetAt(Math.max(0, Math.min(text.text.length, index - 1))),
  };
  const { part, problem } = matchRule("type", braced);
  if (problem) findings.unreadable("unknown-type", "this is not a type", problem);
  return part && schemaOfType(part, types, findings);
}

interface Narrowing {
  /** The map `validation`. */
  readonly validation: Fields | undefined;
  /** The map with `pattern`, `reject`, `transforms` and `unique`. */
  readonly more: Fields | undefined;
}

export function constrained(schema: ParameterSchema, { validation, more }: Narrowing): ParameterSchema {
  const bounded = validation ? withValidation(schema, validation) : schema;
  if (!more) return bounded;
  const { findings } = more;
  if (validation?.has("pattern") && more.has("pattern"))
    more.refuse("pattern", "text can have only one pattern", { beside: validation.place("pattern") });
  const [pattern, reject] = [readSlashed(more, "pattern"), readSlashed(more, "reject")];
  const transforms = readTransforms(more);
  const first = ["pattern", "reject", "transforms"].find((key) => more.has(key));
  const narrowed =
    first === undefined
      ? bounded
      : onStrings(bounded, (text) => ({
          ...text,
          ...(pattern ? { pattern } : {}),
          ...(reject ? { reject } : {}),
          ...(transforms.length === 0 ? {} : { transforms }),
        }));
  if (!narrowed && first !== undefined)
    findings.error("wrong-value", `\`${first}\` is not supported for ${typeText(schema)}`, { at: more.place(first) });
  const isUnique = more.flag("unique") ?? false;
  if (isUnique && schema.type !== "array")
    findings.error("wrong-value", `\`unique\` is not supported for ${typeText(schema)}`, { at: more.place("unique") });
  const final = narrowed ?? bounded;
  return isUnique && final.type === "array" ? { ...final, unique: true } : final;
}

const transformWords = ["trim", "lower", "upper"] as const;

function readTransforms(fields: Fields): NonNullable<StringSchema["transforms"]> {
  return fields.texts("transforms").flatMap(({ text, span }) => {
    const word = transformWords.find((one) => one === text);
    if (word === undefined)
      fields.findings.error("wrong-value", `\`${text.slice(0, 40)}\` is not a transform`, {
        at: span,
        label: "expected `trim`, `lower` or `upper`",
      });
    return word === undefined ? [] : [word];
  });
}

/** Adds transforms. Returns undefined for a type that only an expression can transform. */
export function withTransforms(
  schema: ParameterSchema,
  transforms: NonNullable<StringSchema["transforms"]>,
): ParameterSchema | undefined {
  if (transforms.length === 0) return schema;
  return schema.type === "string" && !isAny(schema) ? { ...schema, transforms } : undefined;
}

function withValidation(schema: ParameterSchema, fields: Fields): ParameterSchema {
  const misfit = (keys: readonly string[], help: string): void => {
    for (const key of keys)
      if (fields.has(key))
        fields.findings.warn("wrong-value", `\`${key}\` is not supported for ${typeText(schema)}`, {
          at: fields.place(key),
          help: [help],
        });
  };
  switch (schema.type) {
    case "number":
    case "integer": {
      misfit(["pattern", "minLength", "maxLength"], "numbers have `minimum`, `maximum` and `enum`");
      const bounds = range(fields, ["minimum", "maximum"], { least: -Infinity, isWhole: false });
      return withBounds(withNumbers(schema, fields, "enum"), bounds);
    }
    case "string":
      if (isAny(schema)) {
        misfit(validationKeys.keys, "any value is accepted");
        return schema;
      }
      misfit(["minimum", "maximum"], "strings have `minLength`, `maxLength`, `pattern` and `enum`");
      return withBounds(textSchema(schema, fields), lengths(fields));
    case "array": {
      misfit(["minimum", "maximum"], "for the number of items, use `minLength` and `maxLength`");
      const bounds = lengths(fields);
      const items = ["pattern", "enum"].some((key) => fields.has(key))
        ? onStrings(schema.items, (text) => textSchema(text, fields))
        : schema.items;
      if (!items) misfit(["pattern", "enum"], "only strings have `pattern` and `enum`");
      return withBounds({ ...schema, items: items ?? schema.items }, bounds);
    }
    case "boolean":
    case "object":
      misfit(validationKeys.keys, "only its type is checked");
      return schema;
  }
}

/** Adds the choices of a list of numbers. */
export function withNumbers(schema: NumberSchema, fields: Fields, key: string): NumberSchema {
  fields.refuseEmpty(key);
  const numbers = fields.texts(key).flatMap(({ text, span }) => {
    const number = exactNumber(text);
    if (number !== undefined && (schema.type === "number" || Number.isInteger(number))) return [number];
    fields.findings.error(
      "wrong-value",
      `\`${text.slice(0, 40)}\` is not ${schema.type === "integer" ? "an integer" : "a number"}`,
      {
        at: span,
      },
    );
    return [];
  });
  return numbers.length === 0 ? schema : { ...schema, ...numberChoices(numbers) };
}

function textSchema(schema: StringSchema, fields: Fields): StringSchema {
  const pattern = readPattern(fields);
  fields.refuseEmpty("enum");
  const choices = fields.texts("enum").map(({ text }) => text);
  return {
    ...schema,
    ...(choices.length === 0 ? {} : { choices: [...new Set(choices)] }),
    ...(pattern ? { pattern } : {}),
  };
}

function lengths(fields: Fields): Bounds {
  return range(fields, ["minLength", "maxLength"], { least: 0, isWhole: true });
}

function range(
  fields: Fields,
  keys: readonly [string, string],
  { least, isWhole }: { readonly least: number; readonly isWhole: boolean },
): Bounds {
  const [low, high] = keys.map((key) =>
    fields.number(key, { least, most: isWhole ? Number.MAX_SAFE_INTEGER : Infinity, isWhole }),
  );
  if (low !== undefined && high !== undefined && low > high)
    fields.refuse(keys[1], `the minimum ${low} is greater than the maximum ${high}`, { beside: fields.place(keys[0]) });
  return [low, high];
}

/** Reads a pattern. Here it may match anywhere in the value, while ours match the whole value. */
function readPattern(fields: Fields): Pattern | undefined {
  const text = fields.text("pattern");
  if (!text) return undefined;
  const pattern = checkedRegex({ source: text.text, flags: "" }, text.span, fields.findings);
  return pattern && { ...pattern, source: wholePattern(pattern.source) };
}

export function wholePattern(source: string): string {
  const isAnchored = source.startsWith("^") && /(?:^|[^\\])(?:\\\\)*\$$/.test(source) && !hasOuterAlternative(source);
  return isAnchored ? source.slice(1, -1) : String.raw`[\s\S]*(?:${source})[\s\S]*`;
}

function hasOuterAlternative(source: string): boolean {
  return source
    .replace(/\\[^]/g, "")
    .replace(/\[[^\]]*\]/g, "")
    .includes("|");
}

export function typeWordOf(schema: ParameterSchema): TypeWord {
  return schema.type === "integer" ? "number" : schema.type;
}

export function unsaidType(fields: Fields, word: TypeWord, type: ParameterSchema): void {
  if (typeWordOf(type) !== word)
    fields.refuse("type", `\`type\` is ${word}, but this is ${typeWordOf(type)}`, {
      help: [`write \`type: ${typeWordOf(type)}\` above it too`],
    });
}
