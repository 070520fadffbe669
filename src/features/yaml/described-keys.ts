// The keys of YAML definitions as data: what each map has, the type and effect of each key, and, if it says one field of
// a definition, how that is read and written. Editors get a JSON Schema of it.
import type { Json } from "../../core/schema/json.ts";
import type { Fields } from "./fields.ts";
import type { KnownKeys } from "./known-keys.ts";
import { plainContext, type TemplateContext } from "./template-text.ts";
import { isRecord, type YamlData, type YamlRecord } from "./yaml-data.ts";

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
  /** Returns undefined for what the key need not say. */
  write(value: Value): YamlData | undefined;
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
  write(whole: Partial<Whole>): YamlRecord;
}

/** The key for our extensions of the formats, which are read and checked like all other keys. */
export const EXTENSION = "x-dottool";

const SEVERAL = "*";

/** A key that is read and written by hand. */
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
      let found: YamlRecord = {};
      for (const [key, { field = "", read }] of fields ? rows : []) {
        const value = fields && read(fields, key, context ?? plainContext(fields.findings));
        if (value !== undefined) found = joined(found, atField(field, value as YamlData));
      }
      return found as Partial<Whole>;
    },
    write: (whole) =>
      Object.fromEntries(
        rows.flatMap(([key, { field = "", write }]) => {
          const value = fieldIn(whole, field);
          return value === undefined ? [] : [[key, write(value)]];
        }),
      ),
  };
}

/** Two keys may say parts of one field, or items of one list. */
function joined(one: YamlRecord, other: YamlRecord): YamlRecord {
  const all: Record<string, YamlData | undefined> = { ...one };
  for (const [field, value] of Object.entries(other)) {
    const known = all[field];
    if (Array.isArray(known) && Array.isArray(value)) all[field] = [...known, ...value] as readonly YamlData[];
    else all[field] = isRecord(known) && isRecord(value) ? joined(known, value) : value;
  }
  return all;
}

function atField(field: string, value: YamlData): YamlRecord {
  const [outer = "", inner] = field.split(".");
  if (field === SEVERAL) return value as YamlRecord;
  return { [outer]: inner === undefined ? value : { [inner]: value } };
}

function fieldIn(whole: object, field: string): unknown {
  if (field === SEVERAL) return whole;
  const [outer = "", inner] = field.split(".");
  const value = (whole as Readonly<Record<string, unknown>>)[outer];
  return inner === undefined ? value : (value as Readonly<Record<string, unknown>> | undefined)?.[inner];
}

/** The key says this field of the definition. */
export function says<Field extends string, Value>(field: Field, row: PlainKey<Value>): KeyValue<Value, Field> {
  return { ...row, field };
}

/** The key says several fields; a map does if its own keys say fields of the whole. */
export function saysSeveral<Whole>(row: PlainKey<Whole>): KeyValue<Partial<Whole>, typeof SEVERAL> {
  return { ...row, field: SEVERAL } as KeyValue<Partial<Whole>, typeof SEVERAL>;
}

/** Returns the record in the order of the keys, also within; undefined if nothing is left. */
export function inOrder(keys: DescribedKeys, record: YamlRecord): YamlRecord | undefined {
  for (const key of Object.keys(record))
    if (!keys.keys.includes(key)) throw new Error(`${keys.owner} has no key ${key}`);
  const entries = Object.entries(keys.values).flatMap(([key, { kind }]) => {
    const value = record[key];
    const ordered = value === undefined ? undefined : orderedValue(kind, value);
    return ordered === undefined ? [] : [[key, ordered] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function orderedValue(kind: ValueKind, value: YamlData): YamlData | undefined {
  if (kind.is === "map") return isRecord(value) ? inOrder(kind.keys, value) : value;
  if (kind.is === "maps" && Array.isArray(value))
    return (value as readonly YamlRecord[]).map((one) => inOrder(kind.keys, one) ?? {});
  if (kind.is !== "named" || !kind.of || !isRecord(value)) return value;
  const { of } = kind;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, one === undefined ? one : (orderedValue(of, one) ?? {})]),
  );
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
