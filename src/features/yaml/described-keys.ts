// The keys of YAML definitions as data: what each map has, the type and effect of each key, and, if it says one field of
// a definition, how that is read and written. Editors get a JSON Schema of it.
import type { Json } from "../../core/schema/json.ts";
import type { Fields, KnownKeys } from "./fields.ts";
import { plainContext, type TemplateContext } from "./template-text.ts";
import type { YamlData, YamlRecord } from "./yaml-data.ts";

export interface KeyValue<Value = unknown, Field extends string | undefined = string | undefined> {
  readonly kind: ValueKind;
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
  /** With `isList`, a single value is not accepted as a list. */
  | { readonly is: "maps"; readonly keys: DescribedKeys; readonly isList?: true }
  /** A list of maps, each with the keys of one of these. */
  | { readonly is: "oneOfMaps"; readonly keys: readonly DescribedKeys[] }
  /** A map whose keys are the author's own. Without `of`, it has any values. */
  | { readonly is: "named"; readonly of?: ValueKind };

export type FieldsOf<Whole> = {
  readonly [Field in keyof Whole & string]-?: KeyValue<NonNullable<Whole[Field]>, Field>;
}[keyof Whole & string];

export interface DescribedKeys<Whole = object> extends KnownKeys {
  readonly values: Readonly<Record<string, KeyValue>>;
  /** Keys of which at most one may be given. */
  readonly oneOf?: readonly string[];
  readonly required?: readonly string[];
  /** Reads the fields that keys say alone. */
  read(fields: Fields | undefined, context?: TemplateContext): Partial<Whole>;
  write(whole: Partial<Whole>): YamlRecord;
}

/** The key for our extensions of the formats, which are read and checked like all other keys. */
export const EXTENSION = "x-dottool";

/** A key that is read and written by hand. */
export type PlainKey<Value = unknown> = KeyValue<Value, undefined>;

/** A map whose keys say fields of `Whole`. The compiler checks names and types. */
export function describedKeys<Whole = Record<never, never>>(
  owner: string,
  values: Readonly<Record<string, PlainKey | FieldsOf<Whole>>>,
  more: Pick<DescribedKeys, "oneOf" | "required" | "alsoCalled"> = {},
): DescribedKeys<Whole> {
  const rows = Object.entries(values as DescribedKeys["values"]);
  return {
    owner,
    values: values as DescribedKeys["values"],
    keys: Object.keys(values),
    ...more,
    read: (fields, context) => {
      const found: Record<string, unknown> = {};
      for (const [key, { field, read }] of fields ? rows : []) {
        if (!fields || field === undefined) continue;
        const value = read(fields, key, context ?? plainContext(fields.findings));
        if (value !== undefined) found[field] = value;
      }
      return found as Partial<Whole>;
    },
    write: (whole) =>
      Object.fromEntries(
        rows.flatMap(([key, row]) => {
          const value = row.field === undefined ? undefined : whole[row.field as keyof Whole];
          return value === undefined ? [] : [[key, row.write(value)]];
        }),
      ),
  };
}

/** The key says this field of the definition. */
export function says<Field extends string, Value>(field: Field, row: PlainKey<Value>): KeyValue<Value, Field> {
  return { ...row, field };
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
