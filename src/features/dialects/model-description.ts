// The description of a tool for a model.
import { typeText } from "../../core/schema/describe.ts";
import { givenParameters, withoutSourced } from "../../core/schema/given-parameters.ts";
import { argumentsSchema } from "../../core/schema/json-schema.ts";
import { isJsonObject, type JsonObject } from "../../core/schema/json.ts";
import { isAny, type Parameter, type ParameterSchema } from "../../core/schema/parameter.ts";
import type { Returns, ToolDefinition } from "../../core/tool/definition.ts";
import { forModels } from "../../core/text/hidden-characters.ts";
import type { Tool } from "../../core/tool/tool.ts";

/** Returns the schema of the arguments, with an example where the schema alone is hard to follow. */
export function schemaForModels(tool: Tool): JsonObject {
  const { definition, parameters } = tool;
  const [example] = examplesForModels(tool);
  const isNested = givenParameters(parameters, "model").some(({ schema, hidden }) => !hidden && isStructure(schema));
  const schema = argumentsSchema(parameters.map(withoutPlainExample), definition.schemaOmits);
  const { origin } = definition;
  const isBundled = origin.kind === "base" || (origin.kind === "file" && origin.scope === "builtin");
  return { ...(isBundled ? withoutCaps(schema) : schema), ...(example && isNested ? { examples: [example] } : {}) };
}

/** What a model rarely meets, or assumes anyway, for each tool that comes with dottool: a refusal says it. */
const caps: ReadonlySet<string> = new Set(["minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"]);

function withoutCaps(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(
    ([key, value]) => !caps.has(key) && !(key === "default" && value === false),
  );
  return Object.fromEntries(
    kept.map(([key, value]) => {
      if (!isJsonObject(value)) return [key, value];
      if (key === "properties") return [key, mapValues(value, withoutCaps)];
      return [key, key === "items" ? withoutCaps(value) : value];
    }),
  );
}

function mapValues(object: JsonObject, change: (value: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, isJsonObject(value) ? change(value) : value]),
  );
}

/** The examples with what a model gives. */
export function examplesForModels({ definition, parameters }: Tool): readonly JsonObject[] {
  return definition.examples.map((example) => withoutSourced(example, parameters));
}

/** An example shows the form of a free text; of a path, an address, a choice or a number, name and type say it. */
function withoutPlainExample(parameter: Parameter): Parameter {
  const { example, otherExamples, ...plain } = parameter;
  const { schema } = parameter;
  const isFree =
    schema.type === "string" && !schema.choices && (schema.format === undefined || isAny(schema) || schema.pattern);
  return isFree ? parameter : plain;
}

function isStructure(schema: ParameterSchema): boolean {
  return (
    schema.type === "object" || (schema.type === "array" && schema.items.type !== "string" && isStructure(schema.items))
  );
}

export function modelDescription(definition: ToolDefinition): string {
  const { description, title, returns, deprecated } = definition;
  return forModels(
    [
      description === "" ? title : description,
      // Only some APIs accept a schema of the result, and MCP only one of an object.
      ...(returns ? [`Returns ${returnsText(returns)}`] : []),
      ...(deprecated === undefined ? [] : [`Deprecated: ${deprecated}`]),
    ].join("\n\n"),
  );
}

/** Returns text such as `array<string>: the names`. */
export function returnsText({ schema, description }: Returns): string {
  return description === "" ? typeText(schema) : `${typeText(schema)}: ${description}`;
}
