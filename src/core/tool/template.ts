// Text with `{placeholders}`, split once at load so that no value can split it differently at call time.
import type { Json } from "../schema/json.ts";
import type { Spanned } from "../text/source.ts";

export interface PlaceholderPart {
  readonly placeholder: string;
}

export interface Template {
  /** Literal text with `{{` and `}}` already reduced, and placeholders between. */
  readonly parts: readonly (string | PlaceholderPart)[];
}

export interface Preset {
  readonly parameter: Spanned<string>;
  readonly text: Spanned<string>;
  /** Set for a step if the argument is omitted when the tool has no such parameter. */
  readonly isOptional?: true;
}

/** A template for any JSON value: strings inside are templates, a lone placeholder keeps the type of its value. */
export type ValueTemplate =
  | { readonly kind: "text"; readonly text: Template }
  | { readonly kind: "literal"; readonly value: Json }
  | { readonly kind: "array"; readonly items: readonly ValueTemplate[] }
  | { readonly kind: "object"; readonly entries: readonly (readonly [string, ValueTemplate])[] };

/** The text is fixed: no value can change it. */
export function isLiteral(template: ValueTemplate): boolean {
  switch (template.kind) {
    case "literal":
      return true;
    case "text":
      return template.text.parts.every((part) => typeof part === "string");
    case "array":
      return template.items.every(isLiteral);
    case "object":
      return template.entries.every(([, value]) => isLiteral(value));
  }
}
