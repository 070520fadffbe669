// Servers declare an address or a path as text. If a `@with` writes one around a value, the value must not leave it, as
// in our own tools.
import type { ParameterSchema } from "../schema/parameter.ts";
import type { ValueTemplate } from "../tool/template.ts";

export function placedSchema(schema: ParameterSchema, template: ValueTemplate): ParameterSchema {
  switch (template.kind) {
    case "literal":
      return schema;
    case "text": {
      if (schema.type !== "string" || schema.format !== undefined || template.text.parts.length < 2) return schema;
      const written = template.text.parts.map((part) => (typeof part === "string" ? part : "x")).join("");
      if (/^https?:\/\//i.test(written)) return { ...schema, format: "url" };
      return /[\\/]/.test(written) && !/\s/.test(written) ? { ...schema, format: "path" } : schema;
    }
    case "array": {
      if (schema.type !== "array") return schema;
      const { items } = schema;
      const changed = template.items.map((item) => placedSchema(items, item)).find((one) => one !== items);
      return changed ? { ...schema, items: changed } : schema;
    }
    case "object": {
      if (schema.type !== "object") return schema;
      const written = new Map(template.entries);
      return {
        ...schema,
        properties: schema.properties.map((property) => ({
          ...property,
          schema: written.has(property.name)
            ? placedSchema(property.schema, written.get(property.name) as ValueTemplate)
            : property.schema,
        })),
      };
    }
  }
}
