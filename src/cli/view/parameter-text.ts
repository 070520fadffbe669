// A parameter as text: how it is given on the command line, and what it accepts.
import type { Json } from "../../core/schema/json.ts";
import type { Parameter, ParameterSchema } from "../../core/schema/parameter.ts";
import { countText, typeText } from "../../core/schema/describe.ts";

/** The limit of an expression in a line about its parameter. */
const TRANSFORM_SHOWN_MAX = 80;

/** `--depth INTEGER`, `--[no-]all`, `--edits OBJECT…`. */
export function optionText(parameter: Parameter): string {
  const { schema, option: name = parameter.name } = parameter;
  if (schema.type === "boolean") return parameter.default === true ? `--no-${name}` : `--${name}`;
  return `--${name} ${placeText(parameter)}`;
}

/** Returns the placeholder of its value: `PATH`, `TEXT…`. */
export function placeText({ schema }: Parameter): string {
  return schema.type === "array" ? `${placeOf(schema.items)}…` : placeOf(schema);
}

function placeOf(schema: ParameterSchema): string {
  switch (schema.type) {
    case "string":
    case "integer":
    case "number":
      if (schema.choices && schema.choices.join("|").length <= 20) return schema.choices.join("|");
      return (schema.type === "string" ? (schema.format ?? "text") : schema.type).toUpperCase();
    case "boolean":
      return schema.type.toUpperCase();
    case "array":
    case "object":
      return "JSON";
  }
}

/** Returns the facts for its description, most important first. */
export function parameterFacts(parameter: Parameter): readonly string[] {
  const { schema, required, environment, secret, example, otherExamples = [], transform } = parameter;
  // Its notation shows that it is a flag.
  if (schema.type === "boolean") return parameter.default === true ? ["default true"] : required ? ["required"] : [];
  const facts = [typeText(schema)];
  if (required) facts.push("required");
  facts.push(...schemaFacts(schema));
  if (!secret && parameter.default !== undefined) facts.push(`default ${valueOf(parameter.default)}`);
  if (environment !== undefined) facts.push(`or from the environment variable ${environment}`);
  if (secret) facts.push("secret");
  if (!secret && example !== undefined) facts.push(`such as ${[example, ...otherExamples].map(valueOf).join(", ")}`);
  if (transform !== undefined)
    facts.push(transform.length > TRANSFORM_SHOWN_MAX ? "transformed" : `transformed by \`${transform}\``);
  return facts;
}

/** Returns the limits that its type has, such as `1 to 5`. */
export function schemaFacts(schema: ParameterSchema): readonly string[] {
  switch (schema.type) {
    case "string": {
      const { minimumLength, maximumLength, pattern } = schema;
      return [
        ...range(minimumLength, maximumLength, "character"),
        ...(pattern ? [`matches /${pattern.source}/${pattern.flags}`] : []),
      ];
    }
    case "integer":
    case "number":
      return range(schema.minimum, schema.maximum);
    case "array":
      return [
        ...range(schema.minimumItems, schema.maximumItems, "item"),
        ...(schema.unique ? ["no duplicates"] : []),
        ...schemaFacts(schema.items),
      ];
    case "boolean":
    case "object":
      return [];
  }
}

function range(minimum: number | undefined, maximum: number | undefined, unit?: string): readonly string[] {
  const counted = (count: number): string => (unit === undefined ? String(count) : countText(count, unit));
  if (minimum !== undefined && maximum !== undefined) return [`${minimum} to ${counted(maximum)}`];
  if (minimum !== undefined) return [`at least ${counted(minimum)}`];
  return maximum === undefined ? [] : [`at most ${counted(maximum)}`];
}

function valueOf(value: Json): string {
  return typeof value === "string" && /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value);
}
