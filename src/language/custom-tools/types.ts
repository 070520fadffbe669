// `x-dottool.types`: named object types, each a map of its properties.
import { isPlainType } from "../fields/types.ts";
import { type DeclaredType, NamedTypes } from "../fields/named-types.ts";
import type { Fields } from "../yaml/fields.ts";
import { readProperty } from "./parameters.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

export function readTypes(extension: Fields | undefined, fields: Fields): NamedTypes {
  const declared = (extension?.entries("types") ?? []).flatMap(({ key, keySpan, value }): DeclaredType[] => {
    if (isPlainType(key) || key === "array")
      fields.findings.error("duplicate-type", `\`${key}\` is a built-in type`, {
        at: keySpan,
        help: ["give this type another name"],
      });
    else if (!NAME.test(key))
      fields.findings.error("invalid-name", `\`${key.slice(0, 64)}\` is not a valid type name`, {
        at: keySpan,
        help: ["a name has letters, digits, `_` and `-`, and begins with a letter or `_`"],
      });
    else if (value.kind !== "map") fields.wrong(value, key, "a map of properties");
    else {
      const properties = value.entries.flatMap((entry): DeclaredType["properties"] => {
        if (NAME.test(entry.key)) return [(types) => readProperty(entry, fields, types)];
        fields.findings.error("invalid-name", `\`${entry.key.slice(0, 64)}\` is not a valid property name`, {
          at: entry.keySpan,
        });
        return [];
      });
      return [{ name: { text: key, span: keySpan, offsetAt: (index) => keySpan.start + index }, properties }];
    }
    return [];
  });
  return new NamedTypes(declared, fields.findings);
}
