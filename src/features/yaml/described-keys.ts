// The keys of YAML definitions as data: what each map has, the type and effect of each key, and, if it says one field of
// a definition, how that is read. Editors get a JSON Schema of it.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import type { Fields } from "./fields.ts";
import type { KnownKeys } from "./known-keys.ts";
import { plainContext, type TemplateContext } from "./template-text.ts";

export interface KeyValue<Value = unknown, Field extends string | undefined = string | undefined> {
  readonly kind: ValueKind;
  /** Other forms of the same value, which the reader of the whole turns into the first. */
  readonly also?: readonly ValueKind[];
  /** The description for authors: one sentence without a full stop. */
  readonly does: string;
  readonly example?: Json;
  /** The field of the definition that the key says. */
  readonly field?: Field;
  /** Returns undefined if there is no value, or if a problem was reported. */
  read(fields: Fields, key: string, context: TemplateContext): Value | undefined;
}

export type ValueKind =
  /** Numbers and `true` are also text, as written. With `words`, only these. */
  | { readonly is: "text"; readonly words?: readonly string[] }
  | { readonly is: "flag" }
  | { readonly is: "number"; readonly least: number; readonly isWhole: boolean }
  /** A number is milliseconds; a text has its unit. */
  | { readonly is: "duration" }
  /** Texts; a single one counts as a list of it. */
  | { readonly is: "texts"; readonly words?: readonly string[] }
  | { readonly is: "value" }
  | { readonly is: "values" }
  | { readonly is: "map"; readonly keys: DescribedKeys }
  /** With `isList`, a single value is not accepted as a list. With `hasTexts`, texts stand for maps. */
  | { readonly is: "maps"; readonly keys: DescribedKeys; readonly isList?: true; readonly hasTexts?: true }
  /** A list of maps, each with the keys of one of these. */
  | { readonly is: "oneOfMaps"; readonly keys: readonly DescribedKeys[] }
  /** A map whose keys are the author's own. Without `of`, it has any values. */
  | { readonly is: "named"; readonly of?: ValueKind };

type InnerOf<Field> =
  NonNullable<Field> extends readonly unknown[] | string | number | boolean ? never : NonNullable<Field>;

/** Keys that say a field, a field within one (`limits.timeoutMs`), or several fields of the whole. */
export type FieldsOf<Whole> =
  | KeyValue<Partial<Whole>, typeof SEVERAL>
  | {
      readonly [Field in keyof Whole & string]-?:
        | KeyValue<Exclude<Whole[Field], undefined>, Field>
        | {
            readonly [Inner in keyof InnerOf<Whole[Field]> & string]-?: KeyValue<
              NonNullable<InnerOf<Whole[Field]>[Inner]>,
              `${Field}.${Inner}`
            >;
          }[keyof InnerOf<Whole[Field]> & string];
    }[keyof Whole & string];

export interface DescribedKeys<Whole = object> extends KnownKeys {
  readonly values: Readonly<Record<string, KeyValue>>;
  readonly required?: readonly string[];
  /** Reads the fields that keys say alone. */
  read(fields: Fields | undefined, context?: TemplateContext): Partial<Whole>;
}

/** The key for our extensions of the formats, which are read and checked like all other keys. */
export const EXTENSION = "x-dottool";

const SEVERAL = "*";

/** A key that is read by hand. */
export type PlainKey<Value = unknown> = KeyValue<Value, undefined>;

/** A map whose keys say fields of `Whole`. The compiler checks names and types. */
export function describedKeys<Whole = Record<never, never>>(
  owner: string,
  values: Readonly<Record<string, PlainKey | FieldsOf<Whole>>>,
  more: Pick<DescribedKeys, "oneOf" | "required" | "alsoCalled" | "alsoRead" | "lifts" | "first" | "instead"> = {},
): DescribedKeys<Whole> {
  const rows = Object.entries(values as DescribedKeys["values"]).filter(([, { field }]) => field !== undefined);
  return {
    owner,
    values: values as DescribedKeys["values"],
    keys: Object.keys(values),
    ...more,
    read: (fields, context) => {
      let found: JsonObject = {};
      for (const [key, { field = "", read }] of fields ? rows : []) {
        const value = fields && read(fields, key, context ?? plainContext(fields.findings));
        if (value !== undefined) found = joined(found, atField(field, value as Json));
      }
      return found as Partial<Whole>;
    },
  };
}

/** Two keys may say parts of one field, or items of one list. */
function joined(one: JsonObject, other: JsonObject): JsonObject {
  const all: Record<string, Json> = { ...one };
  for (const [field, value] of Object.entries(other)) {
    const known = all[field];
    if (Array.isArray(known) && Array.isArray(value)) all[field] = [...known, ...value];
    else all[field] = isJsonObject(known) && isJsonObject(value) ? joined(known, value) : value;
  }
  return all;
}

function atField(field: string, value: Json): JsonObject {
  const [outer = "", inner] = field.split(".");
  if (field === SEVERAL) return value as JsonObject;
  return { [outer]: inner === undefined ? value : { [inner]: value } };
}

/** The key says this field of the definition. */
export function says<Field extends string, Value>(field: Field, row: PlainKey<Value>): KeyValue<Value, Field> {
  return { ...row, field };
}

/** The key says several fields; a map does if its own keys say fields of the whole. */
export function saysSeveral<Whole>(row: PlainKey<Whole>): KeyValue<Partial<Whole>, typeof SEVERAL> {
  return { ...row, field: SEVERAL } as KeyValue<Partial<Whole>, typeof SEVERAL>;
}

/** Returns every map below this one, with its path: `steps[].`, `parameters.NAME.`. */
export function mapsIn(
  keys: DescribedKeys,
  skipped: string,
  path = "",
): readonly (readonly [path: string, known: DescribedKeys])[] {
  const inner = Object.entries(keys.values).flatMap(([key, { kind }]) =>
    key === skipped ? [] : mapsOf(kind, skipped, `${path}${key}`),
  );
  return [[path, keys], ...inner];
}

function mapsOf(kind: ValueKind, skipped: string, path: string): ReturnType<typeof mapsIn> {
  switch (kind.is) {
    case "map":
      return mapsIn(kind.keys, skipped, `${path}.`);
    case "maps":
      return mapsIn(kind.keys, skipped, `${path}[].`);
    case "named":
      return kind.of ? mapsOf(kind.of, skipped, `${path}.NAME`) : [];
    case "oneOfMaps":
      return kind.keys.flatMap((keys) => mapsIn(keys, skipped, `${path}[].`));
    case "text":
    case "texts":
    case "flag":
    case "number":
    case "duration":
    case "value":
    case "values":
      return [];
  }
}
