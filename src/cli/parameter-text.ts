// A parameter in words: how it is given on the command line, and what it accepts.
import type { Json } from "../schema/json.ts";
import type { Parameter, ParameterSchema } from "../schema/parameter.ts";
import { typeText } from "../schema/describe.ts";

/** `--depth INTEGER`, `--[no-]all`, `--edits OBJECT…`. */
export function optionText(parameter: Parameter): string {
  const { schema, option: name = parameter.name } = parameter;
  if (schema.type === "boolean") return parameter.default === true ? `--no-${name}` : `--${name}`;
  return `--${name} ${placeText(parameter)}`;
}

/** What stands for its value: `PATH`, `TEXT…`. */
export function placeText({ schema }: Parameter): string {
  return schema.type === "array" ? `${placeOf(schema.items)}…` : placeOf(schema);
}

function placeOf(schema: ParameterSchema): string {
  switch (schema.type) {
    case "string":
      if (schema.choices && schema.choices.join("|").length <= 20) return schema.choices.join("|");
      return (schema.format ?? "text").toUpperCase();
    case "integer":
    case "number":
    case "boolean":
      return schema.type.toUpperCase();
    case "array":
    case "object":
      return "JSON";
  }
}

/** The facts beside its description, most important first. */
export function parameterFacts(parameter: Parameter): readonly string[] {
  const { schema, required, environment, secret, example, otherExamples = [], transform } = parameter;
  // That it is a flag shows in how it is written.
  if (schema.type === "boolean") return parameter.default === true ? ["on unless given"] : required ? ["required"] : [];
  const facts = [typeText(schema)];
  if (required) facts.push("required");
  facts.push(...schemaFacts(schema));
  if (!secret && parameter.default !== undefined) facts.push(`default ${valueOf(parameter.default)}`);
  if (environment !== undefined) facts.push(`else from the environment variable ${environment}`);
  if (secret) facts.push("secret");
  if (!secret && example !== undefined) facts.push(`such as ${[example, ...otherExamples].map(valueOf).join(", ")}`);
  if (transform !== undefined) facts.push(`first changed by \`${transform}\``);
  return facts;
}

function schemaFacts(schema: ParameterSchema): readonly string[] {
  switch (schema.type) {
    case "string": {
      const { minimumLength, maximumLength, pattern } = schema;
      return [
        ...range(minimumLength, maximumLength, " characters"),
        ...(pattern ? [`fits /${pattern.source}/${pattern.flags}`] : []),
      ];
    }
    case "integer":
    case "number":
      return range(schema.minimum, schema.maximum, "");
    case "array":
      return [
        ...range(schema.minimumItems, schema.maximumItems, " items"),
        ...(schema.unique ? ["no item twice"] : []),
        ...schemaFacts(schema.items),
      ];
    case "boolean":
    case "object":
      return [];
  }
}

function range(minimum: number | undefined, maximum: number | undefined, unit: string): readonly string[] {
  if (minimum !== undefined && maximum !== undefined) return [`${minimum} to ${maximum}${unit}`];
  if (minimum !== undefined) return [`at least ${minimum}${unit}`];
  return maximum === undefined ? [] : [`at most ${maximum}${unit}`];
}

function valueOf(value: Json): string {
  return typeof value === "string" && /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value);
}
