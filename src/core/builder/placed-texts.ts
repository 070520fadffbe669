// The places where values of a definition go into parameters of the wrapped tool: each text with placeholders, and the
// type of its place.
import { schemaHasSecrets } from "../schema/secrets.ts";
import type { Parameter, ParameterSchema } from "../schema/parameter.ts";
import type { Template, ValueTemplate } from "../tool/template.ts";

export interface ParsedPreset {
  /** The parameter of the base tool. */
  readonly parameter: Parameter;
  readonly template: ValueTemplate;
}

interface PlacedText {
  readonly text: Template;
  /** Undefined if any JSON is allowed. */
  readonly schema: ParameterSchema | undefined;
  /** Whether the value is never shown. */
  readonly isSecret: boolean;
  /** Whether an array that is the whole text becomes several items. */
  readonly isItem: boolean;
}

export function placedTexts(presets: readonly ParsedPreset[]): readonly PlacedText[] {
  return presets.flatMap(({ parameter, template }) =>
    textsIn(template, { schema: parameter.schema, isSecret: parameter.secret === true, isItem: false }),
  );
}

function textsIn(template: ValueTemplate, place: Omit<PlacedText, "text">): readonly PlacedText[] {
  const { schema, isSecret } = place;
  switch (template.kind) {
    case "literal":
      return [];
    case "text":
      return [
        { ...place, text: template.text, isSecret: isSecret || (schema !== undefined && schemaHasSecrets(schema)) },
      ];
    case "array":
      return template.items.flatMap((item) =>
        textsIn(item, { schema: schema?.type === "array" ? schema.items : undefined, isSecret, isItem: true }),
      );
    case "object":
      return template.entries.flatMap(([name, value]) => {
        const property = schema?.type === "object" ? schema.properties.find((one) => one.name === name) : undefined;
        return textsIn(value, {
          schema: property?.schema,
          isSecret: isSecret || property?.secret === true,
          isItem: false,
        });
      });
  }
}

export function placeholdersOf({ parts }: Template): readonly string[] {
  return parts.flatMap((part) => (typeof part === "string" ? [] : [part.placeholder]));
}

export function isAddress(schema: ParameterSchema | undefined): boolean {
  return schema?.type === "string" && schema.format === "url";
}

export function isPath(schema: ParameterSchema | undefined): boolean {
  return schema?.type === "string" && schema.format === "path";
}
