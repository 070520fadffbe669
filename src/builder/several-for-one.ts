// Reports an array or an object in an address or a path, which have no text form for it, when the definition is read.
import { typeText } from "../schema/describe.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import type { Span } from "../text/source.ts";
import type { WrappedDefinition } from "../tool/definition.ts";
import { isAddress, isPath, type ParsedPreset, placedTexts, placeholdersOf } from "./placed-texts.ts";

export function severalForOne(preset: ParsedPreset, definition: WrappedDefinition, span: Span): readonly Diagnostic[] {
  const found = placedTexts([preset]).flatMap(({ text, schema, isItem }) => {
    if (!isAddress(schema) && !isPath(schema)) return [];
    const spreads = isItem && text.parts.length === 1;
    return placeholdersOf(text).flatMap((name) => {
      const own = definition.parameters.find((parameter) => parameter.name === name)?.schema;
      const isSeveral = own?.type === "object" || (own?.type === "array" && !spreads);
      return isSeveral
        ? [
            {
              name,
              message: `\`${name}\` is declared as ${typeText(own)}, but ${isAddress(schema) ? "an address" : "a path"} takes one value`,
            },
          ]
        : [];
    });
  });
  return found.map(({ name, message }) => ({
    code: "parameter-mismatch",
    severity: "error",
    message,
    at: { span, text: "" },
    related: [],
    help: [`declare it as one value, such as \`@param ${name} {string}\``],
  }));
}
