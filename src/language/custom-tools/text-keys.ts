// The keys of the fields that are texts.
import { eachTextField, type TextField } from "../text-fields.ts";
import { type KeyValue, text, texts } from "../yaml/key-values.ts";

const BELOW_EXTENSION = "x-dottool.";

interface KeyPlace {
  readonly key: string;
  readonly isExtension: boolean;
}

/** Returns undefined for a field whose key is read and written in its own way. */
export function placeOfKey({ key, hasOwnKey }: TextField): KeyPlace | undefined {
  const isExtension = key.startsWith(BELOW_EXTENSION);
  return hasOwnKey ? undefined : { key: isExtension ? key.slice(BELOW_EXTENSION.length) : key, isExtension };
}

/** Returns those of the format, or those below `x-dottool`. */
export function textKeys(of: "format" | "extension"): Readonly<Record<string, KeyValue>> {
  const all = eachTextField((field): readonly (readonly [string, KeyValue])[] => {
    const place = placeOfKey(field);
    if (!place || place.isExtension !== (of === "extension")) return [];
    const describe = field.repeats ? texts : text;
    return [[place.key, describe(field.does, field.example)]];
  });
  return Object.fromEntries(Object.values(all).flat());
}
