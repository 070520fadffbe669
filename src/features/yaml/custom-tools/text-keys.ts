// The keys of the fields that are texts, or have a text with parts.
import { eachPartsField, eachTextField, type PartsField, type TextField } from "../../../core/language/text-fields.ts";
import { type KeyValue, text, texts } from "../key-values.ts";

const BELOW_EXTENSION = "x-dottool.";

interface KeyPlace {
  readonly key: string;
  readonly isExtension: boolean;
}

/** Returns undefined for a field whose key is read and written in its own way. */
export function placeOfKey(field: PartsField): KeyPlace;
export function placeOfKey(field: TextField | PartsField): KeyPlace | undefined;
export function placeOfKey({ key, hasOwnKey }: TextField | PartsField): KeyPlace | undefined {
  const isExtension = key.startsWith(BELOW_EXTENSION);
  return hasOwnKey ? undefined : { key: isExtension ? key.slice(BELOW_EXTENSION.length) : key, isExtension };
}

/** Returns those of the format, or those below `x-dottool`. */
export function textKeys(of: "format" | "extension"): Readonly<Record<string, KeyValue>> {
  return Object.fromEntries(Object.values(eachTextField((field) => keyOf(field, of))).flat());
}

/** Returns the keys of texts with parts, in the same two places. */
export function partsKeys(of: "format" | "extension"): Readonly<Record<string, KeyValue>> {
  return Object.fromEntries(Object.values(eachPartsField((field) => keyOf(field, of))).flat());
}

function keyOf(field: TextField | PartsField, of: "format" | "extension"): readonly (readonly [string, KeyValue])[] {
  const place = placeOfKey(field);
  if (!place || place.isExtension !== (of === "extension")) return [];
  const describe = field.repeats ? texts : text;
  return [[place.key, describe(field.does, field.example)]];
}
