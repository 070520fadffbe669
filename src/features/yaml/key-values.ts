// The keys of YAML definitions and their values, as data. Readers take the known keys from it, writers their order, and
// editors a JSON Schema.
import type { Json } from "../../core/schema/json.ts";
import type { KnownKeys } from "./fields.ts";

export interface KeyValue {
  readonly kind: ValueKind;
  /** The description for authors: one sentence without a full stop. */
  readonly does: string;
  readonly example?: Json;
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

export interface DescribedKeys extends KnownKeys {
  readonly values: Readonly<Record<string, KeyValue>>;
  /** Keys of which at most one may be given. */
  readonly oneOf?: readonly string[];
  readonly required?: readonly string[];
}

export function describedKeys(
  owner: string,
  values: DescribedKeys["values"],
  more: Omit<DescribedKeys, "owner" | "values" | "keys"> = {},
): DescribedKeys {
  return { owner, values, keys: Object.keys(values), ...more };
}

export function text(does: string, example?: Json): KeyValue {
  return described({ is: "text" }, does, example);
}

export function choice(words: readonly string[], does: string, example?: Json): KeyValue {
  return described({ is: "text", words }, does, example);
}

export function flag(does: string): KeyValue {
  return described({ is: "flag" }, does);
}

export function number(
  does: string,
  range: { readonly least: number; readonly isWhole: boolean },
  example?: Json,
): KeyValue {
  return described({ is: "number", ...range }, does, example);
}

export function duration(does: string, example?: Json): KeyValue {
  return described({ is: "duration" }, does, example);
}

export function texts(does: string, example?: Json): KeyValue {
  return described({ is: "texts" }, does, example);
}

export function choices(words: readonly string[], does: string, example?: Json): KeyValue {
  return described({ is: "texts", words }, does, example);
}

export function value(does: string, example?: Json): KeyValue {
  return described({ is: "value" }, does, example);
}

export function values(does: string, example?: Json): KeyValue {
  return described({ is: "values" }, does, example);
}

export function map(keys: DescribedKeys, does: string): KeyValue {
  return described({ is: "map", keys }, does);
}

export function maps(keys: DescribedKeys, does: string): KeyValue {
  return described({ is: "maps", keys }, does);
}

/** Returns the description of values that must be a list. */
export function mapList(keys: DescribedKeys, does: string): KeyValue {
  return described({ is: "maps", keys, isList: true }, does);
}

export function named(of: ValueKind | undefined, does: string, example?: Json): KeyValue {
  return described({ is: "named", ...(of ? { of } : {}) }, does, example);
}

export function described(kind: ValueKind, does: string, example?: Json): KeyValue {
  return { kind, does, ...(example === undefined ? {} : { example }) };
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
